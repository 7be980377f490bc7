# Empty dependencies file for fibonacci.
# This may be replaced when dependencies are built.
