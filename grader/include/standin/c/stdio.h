// Stand-in: printf needs no header, on both devices.
