import { parseDocument, stringify } from 'yaml'

/** The address in the tree's Chart.yaml, which no one can publish at (RFC 2606 §3). */
const placeholder = 'https://postrider.example.com'

/** Kinds of changes that Artifact Hub supports, by their heading in CHANGELOG.md. */
const kinds = new Set(['added', 'changed', 'deprecated', 'removed', 'fixed', 'security'])

type Change = { kind: string; description: string }

/**
 * Returns the changes of a version in CHANGELOG.md, each as one line. Headings below the kind group them for readers,
 * and are left out.
 * @throws Error if it has no section
 */
export const changesOf = (changelog: string, version: string): Change[] => {
  const sections = changelog.split(/^## /m).find((section) => section.startsWith(`[${version}]`))
  if (sections === undefined) throw new Error(`CHANGELOG.md has no section [${version}]; add it first`)
  return sections.split(/^### /m).flatMap((section) => {
    const kind = section.split('\n', 1)[0]?.trim().toLowerCase() ?? ''
    if (!kinds.has(kind)) return []
    return section
      .replaceAll(/^####.*$/gm, '')
      .split(/^- /m)
      .slice(1)
      .map((item) => ({ kind, description: item.replaceAll(/\s+/g, ' ').trim() }))
  })
}

export type PublishedChart = {
  /** Where the project is published, without a slash at its end. */
  home: string
  /** The image with its tag or digest. */
  image: string
  changes: readonly Change[]
}

/** Returns the Chart.yaml of a release. */
export const publishedChart = (chartYaml: string, { home, image, changes }: PublishedChart): string => {
  const document = parseDocument(chartYaml.replaceAll(placeholder, home))
  document.setIn(['annotations', 'artifacthub.io/images'], stringify([{ name: 'postrider', image }]))
  document.setIn(['annotations', 'artifacthub.io/changes'], stringify(changes, { lineWidth: 0 }))
  document.commentBefore = null
  return document.toString({ lineWidth: 0 })
}
