// Stand-in: bool is a keyword of C++.
