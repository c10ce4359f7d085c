"""The mathematics of private answers: mechanisms, estimators, accounting and the questions asked of them.

May import the standard library, NumPy and SciPy (pandas in `tables` and `reading` only); never Streamlit or Plotly.
Life of a datum: `values` (true) -> `reports` (private) -> `tally` (aggregated) -> `estimate`.
"""

__version__ = "0.1.0"
