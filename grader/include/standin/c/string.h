// Stand-in: memcpy and memset need no header, on both devices.
