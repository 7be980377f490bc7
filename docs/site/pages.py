#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts together what mkdocs makes the site of: a copy of all pages of the tree, each at its place, and a page for each
public header, from Doxygen's XML. Source files that pages link to become pages, too.

usage: pages.py SOURCE_FOLDER XML_FOLDER OUTPUT_FOLDER

Writes OUTPUT_FOLDER/pages and OUTPUT_FOLDER/mkdocs.yml, which is docs/site/mkdocs.yml with its list of headers.
"""
import os
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree as xml

root, xml_folder, output = (pathlib.Path(each).resolve() for each in sys.argv[1:])
pages = output / "pages"
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".h": "c", ".c": "c", ".sh": "bash", ".py": "python", ".inc": "cpp"}


# --- the reference, from Doxygen's XML

def text_of(element):
    """A description of Doxygen as Markdown."""
    parts = []

    def inline(node):
        said = node.text or ""
        for child in node:
            if child.tag == "computeroutput":
                said += "`" + "".join(child.itertext()) + "`"
            elif child.tag in ("bold", "emphasis"):
                said += "*" + inline(child) + "*"
            elif child.tag == "ulink":
                said += f"[{inline(child)}]({child.get('url')})"
            elif child.tag in ("verbatim", "programlisting", "itemizedlist", "orderedlist", "simplesect", "para"):
                parts.append(escaped(said))
                said = ""
                block(child)
            elif child.tag in ("lsquo", "rsquo"):
                said += "'"
            elif child.tag in ("ndash", "mdash"):
                said += "--"
            else:
                said += inline(child)
            said += child.tail or ""
        return said

    def escaped(said):
        """Without what Markdown would take for marks, outside of `code`."""
        pieces = re.split(r"(`[^`]*`)", said.strip())
        return "".join(piece if piece.startswith("`") else re.sub(r"([<*_\[\]])", r"\\\1", piece) for piece in pieces)

    def block(node):
        if node.tag == "verbatim":
            parts.extend(preformatted(node.text))
        elif node.tag == "programlisting":
            parts.append("```cpp\n" + "\n".join(code_line(line) for line in node) + "\n```")
        elif node.tag in ("itemizedlist", "orderedlist"):
            parts.append("\n".join("- " + " ".join(text_of(item).split()) for item in node.findall("listitem")))
        else:
            parts.append(escaped(inline(node)))

    def preformatted(said):
        """Code, and tables of words, which are not to be coloured as code."""
        blocks = []
        for piece in re.split(r"\n\s*\n", said.strip("\n")):
            rows = piece.split("\n")
            columns = [row for row in rows if re.search(r"\S {3}", row)]
            is_table = not re.search(r"[{}]|;$", piece, re.M) or len(columns) * 2 > len(rows)
            language = "text" if is_table else "cpp"
            if blocks and blocks[-1][0] == language:
                blocks[-1][1] += "\n\n" + piece
            else:
                blocks.append([language, piece])
        return [f"```{language}\n{piece.rstrip()}\n```" for language, piece in blocks]

    def code_line(line):
        said = ""
        for part in line.iter():
            said += " " if part.tag == "sp" else ""
            said += part.text or ""
            if part is not line:
                said += part.tail or ""
        return said

    for each in element if element is not None else ():
        block(each)
    return "\n\n".join(part for part in parts if part.strip())


def described(node):
    both = (text_of(node.find(f"{kind}description")) for kind in ("brief", "detailed"))
    return "\n\n".join(filter(None, both))


class header:
    """The source of a header, for declarations as they are written there."""

    def __init__(self, name):
        self.lines = (root / name).read_text(encoding="utf-8").splitlines()

    def declaration(self, line, kind):
        first = line - 1
        while first > 0 and not re.search(r"(^ *$|^ *//|^ *\*|\*/$|[;{}]$|[;{,] +//.*$|^ *(public|private|protected):$"
                                          r"|^#|:$)", self.lines[first - 1]):
            first -= 1
        depth, said = 0, ""
        for each in self.lines[first:]:
            code = re.sub(r" +(//|/\*).*$", "", each)
            each = each if kind == "enum" else code
            for at, sign in enumerate(code):
                depth += (sign in "([") - (sign in ")]") + (kind == "enum") * ((sign == "{") - (sign == "}"))
                is_end = depth == 0 and kind != "define" and (
                    sign == ";" or (sign == "{" and kind not in ("variable", "concept")) or
                    (sign == ":" and kind == "function" and code[at - 1] == " "))
                if is_end:
                    return self.tidy(said + code[:at])
            said += each + "\n"
            if kind == "define" and not each.endswith("\\"):
                return self.tidy(said)
        return self.tidy(said)

    @staticmethod
    def tidy(said):
        said = re.sub(r"\[\[[^\]]*\]\] *|^ *friend +|\binline +", "", said)
        said = re.sub(r" +\\$", r" \\", said, flags=re.M)
        lines = said.rstrip().split("\n")
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        return "\n".join(line[indent:].rstrip() for line in lines)


def read_reference():
    """{file: {"text": its description, "entries": [(line, kind, name, node, members)]}}"""
    files, missing = {}, []
    for path in sorted(xml_folder.glob("*.xml")):
        compound = xml.parse(path).getroot().find("compounddef")
        if compound is None or path.name == "index.xml":
            continue
        kind, where = compound.get("kind"), compound.find("location")
        if kind == "file":
            files.setdefault(where.get("file"), {"entries": []})["text"] = described(compound)
        name = compound.findtext("compoundname")
        members = [each for section in compound.findall("sectiondef") for each in section.findall("memberdef")
                   if each.get("prot", "public") == "public"]
        if kind in ("class", "struct", "concept", "union"):
            # Doxygen does not ask for the text of a concept, nor for that of an empty class.
            if not described(compound) and compound.get("prot", "public") == "public":
                missing.append(f"{where.get('file')}:{where.get('line')}: {name} has no text")
            files.setdefault(where.get("file"), {"entries": []})["entries"].append(
                (int(where.get("line")), kind, name, compound, members))
        else:
            for each in members:
                place = each.find("location")
                files.setdefault(place.get("file"), {"entries": []})["entries"].append(
                    (int(place.get("line")), each.get("kind"), each.findtext("qualifiedname") or each.findtext("name"),
                     each, []))
    if missing:
        sys.exit("\n".join(missing))
    return files


def reference_page(name, found):
    source = header(name)
    said = [f"# `<{name.removeprefix('include/')}>`", found.get("text", "")]
    seen = set()
    for line, kind, title, node, members in sorted(found["entries"], key=lambda entry: entry[0]):
        shown = source.declaration(line, kind)
        # The name behind a structure in C is one of the structure.
        if (line, title) in seen or not described(node) or shown.startswith("}"):
            continue
        seen.add((line, title))
        short = re.sub(r"^teff::", "", title)
        if f"## {short}" not in said:
            said.append(f"## {short}")
        said += [f"```cpp\n{shown}\n```", described(node)]
        for member in sorted(members, key=lambda each: int(each.find("location").get("line"))):
            if described(member):
                place = int(member.find("location").get("line"))
                shown = source.declaration(place, member.get("kind"))
                # A field whose type, a structure without a name, ends there.
                if shown.startswith("}"):
                    shown = f"{member.findtext('type', '').split()[0]} {{ ... {shown}"
                said += ["```cpp\n" + shown + "\n```",
                         '<div class="member" markdown>\n\n' + described(member) + "\n\n</div>"]
    return "\n\n".join(filter(None, said)) + "\n"


# --- the pages of the tree

def prepared(text, page):
    """Lists as Python-Markdown wants them, indented by four, and links to sources as links to their pages."""
    def link(match):
        target = match[2].partition("#")[0]
        file = (page.parent / target).resolve()
        if re.match(r"[a-z]+:", target) or not target or file.suffix in (".md", ".svg"):
            return match[0]
        linked.add(file.relative_to(root))
        return f"{match[1]}{target}.md{match[3]}"

    def breakable(match):
        """A long name in a table, which may be divided behind each underscore."""
        return "<code>" + match[1].replace("_", "_<wbr>") + "</code>"

    lines, indent, in_code = [], 0, False
    for line in text.split("\n"):
        if re.match(r" *```", line):
            in_code = not in_code
        item = None if in_code else re.match(r"( *)(- |\d+\. )", line)
        if item and not item[1]:
            if lines and lines[-1].strip() and indent == 0:
                lines.append("")
            indent = len(item[2])
        elif line.strip() and not line.startswith(" " * 2):
            indent = 0
        elif indent and line.strip():
            line = " " * (4 - indent) + line
        if not in_code:
            line = "".join(piece if piece.startswith("`") else re.sub(r"(\]\()([^)\s]+)(\))", link, piece)
                           for piece in re.split(r"(`[^`]*`)", line))
        if line.startswith("|") and not in_code:
            line = re.sub(r"`(\w+)`", breakable, line)
        lines.append(line)
    return "\n".join(lines)



linked = set()
shutil.rmtree(pages, ignore_errors=True)
for path in sorted(root.rglob("*.md")):
    place = path.relative_to(root)
    if not {"build", "suites", ".git", ".cache"} & set(place.parts):
        (pages / place).parent.mkdir(parents=True, exist_ok=True)
        (pages / place).write_text(prepared(path.read_text(encoding="utf-8"), path), encoding="utf-8")
for path in ("docs/kernels.svg", "docs/site/style.css"):
    (pages / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(root / path, pages / path)

reference = {name: found for name, found in read_reference().items() if (root / name).is_file()}
names = sorted(reference, key=lambda name: (name.count("/") > 2 or name.startswith("teff/"), name))
for name in names:
    (pages / f"{name}.md").parent.mkdir(parents=True, exist_ok=True)
    (pages / f"{name}.md").write_text(reference_page(name, reference[name]), encoding="utf-8")
rows = ""
for name in names:
    sentence = " ".join(reference[name].get("text", "").split("```")[0].split()).partition(". ")[0].rstrip(".")
    place = os.path.relpath(f"{name}.md", "include/teff")
    rows += f"| [`<{name.removeprefix('include/')}>`]({place}) | {sentence} |\n"
(pages / "include/teff/index.md").write_text(
    "# Reference\n\nAll public headers, with every public name. The guides say how they are used together.\n\n"
    "| header | what it has |\n|---|---|\n" + rows, encoding="utf-8")

for path in sorted(linked - {pathlib.Path(name) for name in names}):
    if not (root / path).is_file():
        sys.exit(f"a page links to {path}, which is no file")
    (pages / f"{path}.md").parent.mkdir(parents=True, exist_ok=True)
    (pages / f"{path}.md").write_text(f"# `{path}`\n\n````{LANGUAGES.get(path.suffix, 'text')}\n"
                                      + (root / path).read_text(encoding="utf-8") + "````\n", encoding="utf-8")

config = (root / "docs/site/mkdocs.yml").read_text(encoding="utf-8")
listed = "".join(f"      - {name.rpartition('/')[2]}: {name}.md\n" for name in names)
(output / "mkdocs.yml").write_text(config.replace("      - HEADERS\n", listed), encoding="utf-8")
