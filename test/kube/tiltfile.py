"""Evaluates a Tiltfile with replacements for Tilt's functions that record each call, and prints the result as JSON: images,
applied objects, resources, and paths that do not exist. Tilt itself is not tested. Requires the Python packages
starlark-pyo3 and PyYAML, and helm and kubectl."""

import json
import os
import subprocess
import sys

import starlark
import yaml

tiltfile, kube_version = sys.argv[1:3]
folder = os.path.dirname(os.path.abspath(tiltfile))
seen = {'images': [], 'objects': [], 'resources': [], 'missing': []}


def at(path):
    found = os.path.normpath(os.path.join(folder, path))
    if not os.path.exists(found):
        seen['missing'].append(path)
    return found


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def docker_build(ref, context, dockerfile='Dockerfile', target='', live_update=()):
    seen['images'].append(
        {'ref': ref, 'context': at(context), 'dockerfile': at(dockerfile), 'target': target, 'update': live_update}
    )


def sync(local_path, remote_path):
    return {'sync': at(local_path), 'to': remote_path}


def fall_back_on(files):
    return {'rebuildsFor': [at(file) for file in ([files] if isinstance(files, str) else files)]}


def kustomize(path):
    return output('kubectl', 'kustomize', at(path))


def helm(path, name, namespace, values=()):
    files = [option for file in values for option in ('-f', at(file))]
    return output('helm', 'template', name, at(path), '-n', namespace, '--kube-version', kube_version, *files)


def k8s_yaml(text):
    seen['objects'].extend(thing for thing in yaml.safe_load_all(text) if thing)


def k8s_resource(workload, labels=(), resource_deps=(), port_forwards=(), links=(), trigger_mode=0):
    seen['resources'].append(
        {'workload': workload, 'labels': labels, 'needs': resource_deps, 'forwards': port_forwards}
    )


functions = {
    'docker_build': docker_build,
    'sync': sync,
    'fall_back_on': fall_back_on,
    'kustomize': kustomize,
    'helm': helm,
    'k8s_yaml': k8s_yaml,
    'k8s_resource': k8s_resource,
    'decode_yaml_stream': lambda text: list(yaml.safe_load_all(text)),
    'encode_yaml_stream': lambda things: yaml.safe_dump_all(things),
    'port_forward': lambda local_port, container_port, name='': {'local': local_port, 'container': container_port},
    'link': lambda url, name='': url,
}

module = starlark.Module()
for name, function in functions.items():
    module.add_callable(name, function)
module['TRIGGER_MODE_AUTO'], module['TRIGGER_MODE_MANUAL'] = 0, 1
with open(tiltfile) as file:
    program = starlark.parse(tiltfile, file.read(), starlark.Dialect.extended())
starlark.eval(module, program, starlark.Globals.standard())
json.dump(seen, sys.stdout, default=str)
