"""What `pyproject.toml` cannot say of the built package: the tables of `data/` travel inside it."""

from setuptools import find_namespace_packages, setup

TABLES = "ldpcore.tables.data"  # where `ldpcore.tables.table` looks for them, outside of a checkout

setup(
    packages=[*find_namespace_packages(include=["ldpcore*", "explorer*"]), TABLES],
    package_dir={TABLES: "data"},
    package_data={"": ["*.md", "*.toml", "*.js", "*.css", "*.html", "*.svg"], TABLES: ["*.csv"]},
)
