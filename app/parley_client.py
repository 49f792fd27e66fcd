"""What `import parley_client` brings where the client is installed as a package of its own."""

from .client import *  # noqa: F403
from .client import __all__ as __all__
