import streamlit as st

st.title("Overview")
