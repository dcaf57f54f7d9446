/** The bundles of a description: the first is the base. A description without any has none. */
import type { Source } from '../../ports/source.ts'
import type { SourceDescription } from './description/source-description.ts'

export function bundlesOf(description: SourceDescription): Pick<Source, 'bundles'> {
  if (description.bundles === undefined) return {}
  const streams = Object.entries(description.engine === 'odata' ? description.sets : description.streams)
  const [base] = Object.keys(description.bundles)
  return {
    bundles: Object.entries(description.bundles).map(([id, { title, about }]) => ({
      id,
      base: id === base,
      title,
      description: about,
      streams: streams.flatMap(([name, { bundle }]) => (bundle === id ? [name] : [])),
    })),
  }
}
