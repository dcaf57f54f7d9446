/** Groups the streams of an API in the bundles by which they are licensed. */
import { baseBundle, type Stream, type StreamBundle } from '../../ports/source.ts'

interface NamedStream {
  readonly name: string
}

interface BundleOfStreams<ApiStream> extends Omit<StreamBundle, 'streams' | 'base'> {
  readonly streams: readonly ApiStream[]
}

export function bundleStreams<ApiStream extends NamedStream>(
  title: string,
  bundles: readonly BundleOfStreams<ApiStream>[],
) {
  const streams = bundles.flatMap((bundle) => bundle.streams)
  return {
    streams,
    bundles: bundles.map((bundle): StreamBundle => ({
      ...bundle,
      base: bundle.id === baseBundle,
      streams: bundle.streams.map(({ name }) => name),
    })),
    bundleOf: (stream: ApiStream): string =>
      bundles.find((bundle) => bundle.streams.includes(stream))?.id ?? baseBundle,
    findStream({ name }: Pick<Stream, 'name'>): ApiStream {
      const match = streams.find((stream) => stream.name === name)
      if (match === undefined) throw new Error(`${title} has no stream ${name}.`)
      return match
    },
  }
}
