"""The yardstick: one slider and one line in an otherwise empty Streamlit app.

Nothing that is drawn by Plotly in Streamlit can answer faster; the pages are measured beside it, in the same minute.
"""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

st.title("The yardstick")
epsilon = st.slider("Epsilon", 0.1, 4.0, 1.0, 0.1, key="epsilon", bind="query-params")
x = np.linspace(-10.0, 10.0, 400)
figure = go.Figure(go.Scatter(x=x, y=epsilon / 2 * np.exp(-epsilon * np.abs(x)), mode="lines"))
figure.update_layout(xaxis_range=(-10, 10), yaxis_range=(0, 2.1))
st.plotly_chart(figure, theme=None, key="chart")
