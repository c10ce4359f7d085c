"""A room that answers itself: people's phones toss, this server keeps sums, and nobody learns who said what.

`questions` says what is asked, `tables` what is kept and `store` keeps it (SQLAlchemy), `tickets` buy a report,
`rooms` says who may do what, `telling` what a phone is told, `forms` what it may ask, `document` and `phone/` its page,
`desk` brings a hall of phones and the database together, and `routes` is the layer of the server that answers them.

May import SQLAlchemy (`store` and `tables` alone), `ldpcore`, and of `explorer` its texts, its facts and the types of a
layer; never Streamlit.
"""
