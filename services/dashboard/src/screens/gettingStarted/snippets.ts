/** A program that sends the first email. */
export type Snippet = { name: 'curl' | 'node' | 'python'; label: string; code: string }

type Message = { url: string; key: string; to: string }

const curl = ({ url, key, to }: Message): string => `curl ${url}/api/v1/emails \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "to": ["${to}"],
    "subject": "Hello from Postrider",
    "html": "<p>It works.</p>"
  }'`

const node = ({ url, key, to }: Message): string => `const response = await fetch('${url}/api/v1/emails', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    to: ['${to}'],
    subject: 'Hello from Postrider',
    html: '<p>It works.</p>',
  }),
})
console.log(response.status, await response.json())`

const python = ({ url, key, to }: Message): string => `import json
from urllib.request import Request, urlopen

message = {
    "to": ["${to}"],
    "subject": "Hello from Postrider",
    "html": "<p>It works.</p>",
}
request = Request(
    "${url}/api/v1/emails",
    json.dumps(message).encode(),
    {"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
)
print(urlopen(request).read().decode())`

/** Returns programs that can be run as they are. */
export const snippets = (message: Message): readonly Snippet[] => [
  { name: 'curl', label: 'curl', code: curl(message) },
  { name: 'node', label: 'Node', code: node(message) },
  { name: 'python', label: 'Python', code: python(message) },
]
