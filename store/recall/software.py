"""A tool is known here by its name and by what sort of thing it is; the list says nothing about anybody.

`sorts_of` gives the nouns by which a question may ask for a tool ("database" of Postgres, "browser" of Firefox). What
is not listed may still be a tool: the list only helps to tell one from a friend or a town, and a browser from a
database.
"""

from __future__ import annotations

from functools import cache, lru_cache

from store.text.lists import wordset

_SORTS = """
database, warehouse: postgres, postgresql, mysql, mariadb, sqlite, mongodb, redis, cassandra, dynamodb, oracle, \
sql server, bigquery, snowflake, redshift, clickhouse, duckdb, databricks, neo4j, elasticsearch, firebase, supabase, \
cockroachdb, influxdb, couchdb, firestore, timescaledb, filemaker, ms access
framework, library: django, flask, fastapi, rails, ruby on rails, laravel, symfony, spring, spring boot, react, \
react native, angular, vue, svelte, sveltekit, next.js, nuxt, remix, astro, express, nestjs, flutter, ionic, electron, \
tauri, tailwind, tailwind css, bootstrap, jquery, swiftui, jetpack compose, xamarin, .net, phoenix, qt
framework, library, toolkit: pytorch, tensorflow, keras, jax, scikit-learn, deepspeed, megatron, horovod, ray, \
lightning, hugging face, transformers, langchain, spacy, nltk, opencv, pandas, polars, numpy, spark, dask
engine: unity, unreal, unreal engine, godot, gamemaker, bevy, phaser, cryengine, rpg maker, construct, defold, pygame
language: python, javascript, typescript, java, c++, c#, rust, ruby, php, kotlin, swift, scala, haskell, julia, perl, \
lua, sql, clojure, elixir, erlang, zig, dart, matlab, fortran, cobol, golang, ocaml, f#, bash, html, css, \
markdown, latex, visual basic, apex, solidity
editor, ide: vim, neovim, emacs, vs code, vscode, visual studio code, visual studio, sublime text, pycharm, intellij, \
zed, helix, nano, cursor, rstudio, eclipse, webstorm, notepad++, textmate, xcode, android studio, jupyter, spyder
notes, note-taking, wiki: notion, obsidian, evernote, onenote, roam, roam research, logseq, joplin, apple notes, \
google keep, simplenote, craft, standard notes, remnote, anytype, zettlr, tana
wiki, documentation, docs: gitbook, docusaurus, sphinx, mkdocs, confluence, read the docs, readme, mintlify, \
bookstack, mediawiki, swagger, vitepress, hugo, jekyll
blog, site, website, cms: wordpress, hugo, jekyll, ghost, medium, substack, squarespace, wix, webflow, drupal, joomla, \
tumblr, blogger, shopify, weebly, typo3, contentful, eleventy
design, drawing, graphics: figma, sketch, photoshop, illustrator, indesign, canva, affinity, affinity designer, \
procreate, gimp, inkscape, krita, coreldraw, adobe xd, penpot, clip studio
design, drawing, cad, modelling: autocad, revit, sketchup, fusion 360, solidworks, rhino, freecad, openscad, \
tinkercad, archicad, catia, onshape, inventor, vectorworks
animation, modelling, rendering: blender, maya, cinema 4d, houdini, zbrush, 3ds max, after effects, spine, toon boom
photo, editing: lightroom, capture one, darktable, photoshop, snapseed, dxo
video, editing: premiere, premiere pro, davinci resolve, final cut, final cut pro, imovie, capcut, kdenlive, obs
audio, music, recording, daw: audacity, ableton, ableton live, logic pro, pro tools, reaper, fl studio, garageband, \
cubase, bitwig, ardour, musescore, sibelius, finale, dorico
writing, word processor: word, microsoft word, google docs, scrivener, ulysses, ia writer, libreoffice, overleaf, \
final draft, prowritingaid, grammarly, pages, typora, vellum
spreadsheet, tables: excel, google sheets, airtable, libreoffice calc, smartsheet
chat, messenger, messaging: slack, teams, microsoft teams, discord, mattermost, telegram, signal, whatsapp, wechat, \
line, viber, messenger, imessage, threema, matrix, rocket.chat
meeting, video call: zoom, google meet, webex, skype, facetime, jitsi, teams
project, task, planning, todo: trello, asana, jira, linear, clickup, todoist, things, basecamp, monday.com, \
ticktick, omnifocus, shortcut, youtrack, airtable, microsoft planner, redmine, wrike
email, mail: gmail, outlook, thunderbird, proton mail, protonmail, fastmail, apple mail, superhuman, yahoo mail, \
mailchimp, convertkit, buttondown, mailerlite
browser: chrome, firefox, safari, edge, brave, vivaldi, opera, arc, chromium, tor browser, librewolf
os, operating system, distro: windows, linux, macos, ubuntu, debian, fedora, arch, arch linux, linux mint, nixos, \
android, ios, chromeos, freebsd, opensuse, manjaro, pop!_os
password manager: bitwarden, 1password, lastpass, keepass, keepassxc, dashlane
cloud, hosting, host: aws, gcp, azure, google cloud, heroku, vercel, netlify, digitalocean, hetzner, sagemaker, \
aws sagemaker, cloudflare, fly.io, render, linode, ovh, github pages, vertex ai
storage, backup, files: dropbox, google drive, onedrive, icloud, nextcloud, box, backblaze, syncthing
accounting, bookkeeping, payroll: quickbooks, xero, freshbooks, sage, datev, lexoffice, gusto, wave, freeagent
crm, customers, sales: salesforce, hubspot, pipedrive, zoho, zendesk, intercom, freshdesk
shop, payments: stripe, paypal, square, shopify, woocommerce, etsy, klarna, sumup
analytics, dashboards, charts: tableau, power bi, looker, grafana, metabase, plotly, matplotlib, seaborn, superset, \
google analytics, mixpanel, amplitude, streamlit, d3, ggplot
statistics: spss, stata, sas, r studio, jamovi, minitab, graphpad
model: bert, gpt-2, gpt-3, gpt-4, gpt-4o, gpt-5, llama, llama 3, mistral, mixtral, claude, gemini, gemma, qwen, \
deepseek, whisper, resnet, yolo, t5, mt5, roberta, mbert, clip, stable diffusion, unet, phi-3
assistant: chatgpt, copilot, github copilot, claude code, siri, alexa
repository, version control: git, github, gitlab, bitbucket, mercurial, subversion, perforce
deployment, infrastructure, ci: docker, kubernetes, terraform, ansible, jenkins, github actions, circleci, helm, podman
learning, classroom, course: moodle, canvas, blackboard, google classroom, kahoot, quizlet, anki, duolingo, babbel, \
geogebra, khan academy, seesaw
references, citations: zotero, mendeley, endnote, papers, bibtex
calendar, booking: google calendar, calendly, fantastical, doodle, cal.com, acuity
music, streaming: spotify, apple music, tidal, deezer, youtube music, qobuz
fitness, tracking, training: strava, garmin connect, fitbit, myfitnesspal, komoot, trainingpeaks, zwift, apple health
budget, money: ynab, mint, splitwise, revolut, lunch money
"""

GENERIC = wordset(
    "tool tools software app apps application system platform program service technology technologies tech stack "
    "solution product setup suite package thing"
)
"""Nouns that any tool answers to but a language: "what tool", "which app", "what tech stack"."""


@cache
def _table() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _SORTS.strip().splitlines():
        sorts, _, names = line.partition(": ")
        nouns = frozenset(part.strip() for part in sorts.split(","))
        for name in names.split(","):
            low = name.strip()
            found[low] = found.get(low, frozenset()) | nouns
    return found


SORTS = frozenset(noun for nouns in _table().values() for noun in nouns)
"""Every noun that the list has for what a tool is."""


@lru_cache(maxsize=4096)
def sorts_of(name: str) -> frozenset[str]:
    """The nouns for what a tool is; empty for one that the list does not know ("Airtable for teams" is Airtable)."""
    low = name.lower().removeprefix("the ").strip()
    words = low.split()
    return next((_table()[part] for size in range(len(words), 0, -1)
                 if (part := " ".join(words[:size])) in _table()), frozenset())  # fmt: skip
