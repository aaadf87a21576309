const steps: Readonly<Record<string, string>> = {
  final: 'Content that is not stored after the last delivery',
  attachments: 'Attachments',
  content: 'Content',
  record: 'Records with their events',
}

/** Returns what a step removes in words. A step may name the days that messages asked for, such as `content:7`. */
export const stepText = (step: string): string => {
  const [name = '', days] = step.split(':')
  const text = steps[name] ?? name
  return days === undefined ? text : `${text}, stored for ${days} ${days === '1' ? 'day' : 'days'}`
}
