cd student
tilegrade --root .. list && tilegrade --root=.. list && tilegrade list --root ..
