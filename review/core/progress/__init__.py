"""How far the work is, when it may be done, and which reviewers a lead should look at. Pure."""
