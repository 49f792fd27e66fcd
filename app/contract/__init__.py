"""The interface as pydantic models; imports nothing else of ours."""
