"""The door for agents: tools, resources and prompts of the Model Context Protocol over the typed client, on
stdio and over HTTP. An agent is a colleague with a key: it sees what the key's organisation sees, says where
a number comes from, and decides and sends nothing by itself."""
