#!/usr/bin/env python3
"""Prints the bill of materials of an artefact: CycloneDX 1.6, JSON.

    sbom.py NAME VERSION MANIFEST PACKAGE[,PACKAGE...] TARGET...

The time is SOURCE_DATE_EPOCH, so that the same sources give the same bytes.
"""

import datetime
import json
import os
import sys
import uuid

from shipped import checksums, shipped


def purl(key):
    return f"pkg:cargo/{key[0]}@{key[1]}"


def component(key, package, checksum):
    entry = {"type": "library", "bom-ref": purl(key), "name": key[0], "version": key[1]}
    if package["description"]:
        entry["description"] = " ".join(package["description"].split())
    if checksum:
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["license"]:
        entry["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    entry["purl"] = purl(key)
    if package["repository"]:
        entry["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return entry


def main(name, version, manifest, roots, *targets):
    packages, needs = shipped(manifest, roots.split(","), targets)
    sums = checksums(manifest)
    reference = f"{name}@{version}"
    first = [key for key in packages if key[0] in roots.split(",")]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC).isoformat(),
            "component": {
                "type": "application",
                "bom-ref": reference,
                "name": name,
                "version": version,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
            },
            "properties": [{"name": "target", "value": target} for target in targets],
        },
        "components": [component(key, package, sums.get(key)) for key, package in packages.items()],
        "dependencies": [{"ref": reference, "dependsOn": [purl(key) for key in first]}]
        + [{"ref": purl(key), "dependsOn": sorted(map(purl, needs[key]))} for key in packages],
    }
    # The same contents have the same number.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    print(json.dumps({**document, "serialNumber": f"urn:uuid:{number}"}, indent=2))


if __name__ == "__main__":
    main(*sys.argv[1:])
