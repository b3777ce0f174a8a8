"""The shipped weights, their cards and the runtime sessions that compute them."""
