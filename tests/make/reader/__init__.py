"""The corpus, the training, the calibration and the export of the reader that ships in models/reader."""
