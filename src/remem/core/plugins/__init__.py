"""Systems that somebody else wrote: what they declare, how they are found, and what holds them."""
