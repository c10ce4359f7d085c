"""A room that answers itself: people's phones toss, this server keeps sums, and nobody learns who said what.

`questions` says what is asked, `store` what is kept (SQLAlchemy), `rooms` who may do what, `telling` what a phone is
told, `forms` what it may ask, `document` and `phone/` its page, and `routes` serves it (Starlette). May import
SQLAlchemy (`store` alone), Starlette (`routes` alone), `ldpcore`, and of `explorer` its texts and facts; never
Streamlit.
"""
