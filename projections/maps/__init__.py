"""Maps: layout of zones as a picture, and drawing functions; `drawings` lists them."""
