"""Words, before anybody says what they mean: made whole, stemmed, and in the lists that several rooms use."""
