"""Maps: a plan laid out as a picture, and every way of drawing one; `drawings` lists them."""
