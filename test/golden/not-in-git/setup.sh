# No repository is made: that is the mistake.
true
