"""A room that answers itself: people's phones toss, this server keeps sums, and nobody learns who said what.

`questions` holds a room's question, `kept` its rows, `tables` the columns, `store` keeps them (SQLAlchemy), `tickets`
buy a report, `rooms` has the rights, `telling` a phone's texts, `forms` its requests, `document` and `phone/` its page,
`desk` brings a hall of phones and the database together, `routes` is the layer of the server that answers them, and
`entrance` loads it when the first phone comes.

May import SQLAlchemy (`store` and `tables` alone), `ldpcore`, and of `explorer` its texts, its facts and the types of a
layer; never Streamlit.
"""
