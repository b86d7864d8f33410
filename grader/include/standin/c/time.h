// Stand-in: clock needs no header, on both devices.
