"""A tour as an activity of a course platform: a package by SCORM 1.2, which Moodle, ILIAS and others take.

The platform is told one thing about a student: that the last step was reached.
"""

from __future__ import annotations

import io
import zipfile
from html import escape

from explorer.ui.travel.files import TravelFile

PAGE, MANIFEST = "index.html", "imsmanifest.xml"
_DAY = (2020, 1, 1, 0, 0, 0)  # of every member, so that the same tour makes the same package
_MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="{name}" version="1.0" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
 xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd
  http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd">
 <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
 <organizations default="tour">
  <organization identifier="tour"><title>{title}</title>
   <item identifier="item" identifierref="page"><title>{title}</title></item>
  </organization>
 </organizations>
 <resources>
  <resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="{page}"><file href="{page}"/></resource>
 </resources>
</manifest>
"""


def packaged(name: str, file: TravelFile) -> bytes:
    """The package of a tour, whose name is a letter and then letters, digits or hyphens."""
    title = escape(file.editions[0].title, quote=True)
    parts = {MANIFEST: _MANIFEST.format(name=name, title=title, page=PAGE), PAGE: file.html()}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in parts.items():
            archive.writestr(zipfile.ZipInfo(member, _DAY), text.encode(), zipfile.ZIP_DEFLATED)
    return target.getvalue()
