"""What words mean is learned: a small encoder, trained on models/reader/corpus, reads statements and can only point."""
