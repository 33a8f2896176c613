import sys,json,os; sys.path.insert(0,'/work/main')
from pathlib import Path
from zoneinfo import ZoneInfo
from app.start import demo_memory
from app import start
from app.clock import FrozenClock
from store.records import Instant
from datetime import datetime
p=Path("/tmp/demo_eval.db")
for s in ("","-wal","-shm"):
    if os.path.exists(str(p)+s): os.remove(str(p)+s)
z=ZoneInfo("Europe/Lisbon")
m=demo_memory(p,z)
from store.time import parse_when
ok=wrong=abst=0; rows=[]
for l in open('/work/main/tests/bench/demo_beliefs.jsonl'):
    b=json.loads(l)
    tests=[dict(ask=b["question"],any=b.get("any") or [b["answer_now"]],none=b.get("none",[]))] if b.get("question") else []
    tests+=b.get("asks",[])
    for t in tests:
        q=t.get("ask") or t.get("question")
        st=lambda d: None if not d else parse_when(d,datetime(2026,11,20,12,tzinfo=z))
        bel=st(t.get("believed")); 
        a=m.ask(q,as_of=st(t.get("as_of")),believed=None if bel is None else bel.end-1)
        txt=a.text.lower()
        def has(x): return all(has(y) for y in x) if isinstance(x,list) else any(y.strip().lower() in txt for y in x.split("|"))
        good=all(has(x) for x in [t["any"]] ) if not isinstance(t["any"],list) else any(has(x) for x in t["any"])
        bad=any(n.lower() in txt for n in t.get("none",[]))
        if a.abstained: abst+=1; r="abstain"
        elif good and not bad: ok+=1; r="ok"
        else: wrong+=1; r="WRONG"
        if r!="ok": rows.append((r,q,t.get("as_of"),t.get("believed"),t["any"],a.text[:140]))
print(ok,wrong,abst)
for r in rows: print(*r,sep=" | ")
