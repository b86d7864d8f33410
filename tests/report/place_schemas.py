"""What Gradescope and PrairieLearn read, as schemas.

Source of both: the public descriptions of the formats, as the renderers name them.
"""

from __future__ import annotations

NUMBER = {"type": "number", "minimum": 0}
TEXT = {"type": "string"}


def closed(required: dict, optional: dict) -> dict:
    """An object with these members and no others."""
    return {
        "type": "object",
        "properties": required | optional,
        "required": sorted(required),
        "additionalProperties": False,
    }


FORMATS = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
VISIBILITIES = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
GRADESCOPE = closed(
    {
        "score": NUMBER,
        "tests": {
            "type": "array",
            "items": closed(
                {"name": TEXT},
                {
                    "score": NUMBER,
                    "max_score": NUMBER,
                    "status": {"enum": ["passed", "failed"]},
                    "name_format": FORMATS,
                    "number": TEXT,
                    "output": TEXT,
                    "output_format": FORMATS,
                    "tags": {"type": "array", "items": TEXT},
                    "visibility": VISIBILITIES,
                    "extra_data": {"type": "object"},
                },
            ),
        },
    },
    {
        "execution_time": NUMBER,
        "output": TEXT,
        "output_format": FORMATS,
        "test_output_format": FORMATS,
        "test_name_format": FORMATS,
        "visibility": VISIBILITIES,
        "stdout_visibility": VISIBILITIES,
        "extra_data": {"type": "object"},
        "leaderboard": {
            "type": "array",
            "items": closed({"name": TEXT, "value": NUMBER}, {"order": {"enum": ["asc", "desc"]}}),
        },
    },
)
PRAIRIELEARN = closed(
    {
        "gradable": {"type": "boolean"},
        "score": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
        "tests": {
            "type": "array",
            "items": closed(
                {"name": TEXT},
                {"points": NUMBER, "max_points": NUMBER}
                | {"description": TEXT, "message": TEXT, "output": TEXT, "images": {}},
            ),
        },
    },
    {"message": TEXT, "output": TEXT, "images": {}, "format_errors": {"type": "array"}},
)
