"""LDP Explorer: the entry file; run it with `streamlit run app.py`.

Streamlit finds the server here, and the server runs the same file for each reader.
"""

from explorer.host import memory

if __name__ == "__main__":
    from explorer.ui import shell

    shell.run()
else:
    with memory.loading():
        import streamlit as st
        from starlette.middleware import Middleware

        from explorer.host import puttingoff, server, turns
        from explorer.pages import rendered
        from explorer.poll.desk import Desk
        from explorer.poll.entrance import Entrance, lifespan
        from explorer.ui import internals, shell, trouble
        from ldpcore.processes import raise_limit_of_files

        puttingoff.put_off(*puttingoff.UNUSED, puttingoff.ANNOTATED)
        internals.keep_uploads_in_memory(st.get_option("server.maxUploadSize") << 20)
        internals.keep_what_is_unsent()
        raise_limit_of_files()
        turns.take_short_turns()
        base, remembered = st.get_option("server.baseUrlPath"), st.get_option("server.disconnectedSessionTTL")
        layers = server.layers(rendered.render, base, remembered, internals.expire)
        desk = Desk()
        phones = Middleware(Entrance, desk=desk, headers=server.headers(), base=base)
        stack = [phones, *(Middleware(layer, **options) for layer, options in layers)]
        app = st.App(__file__, lifespan=lifespan(desk), middleware=stack, on_script_error=trouble.last)
        trouble.listen()
