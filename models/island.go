package models

func Island() (*Asset, error) { return single(Cube(3)) }
