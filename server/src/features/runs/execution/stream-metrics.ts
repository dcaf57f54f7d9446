/** Counts the rows and traces the streams of one try, by what it tells of itself. */
import type { StreamProgress } from '@tributary/engine/sync/progress'
import type { AppServices } from '../../../app-services.ts'
import type { OpenSpan } from '../../../kernel/telemetry/tracing.ts'

export interface StreamWatch {
  report(progress: StreamProgress): void
  /** The try is over; what had not come to its end did so with it. */
  end(): void
}

const ends: readonly string[] = ['done', 'failed', 'cancelled']

export function watchStreams(
  { metrics, tracing }: Pick<AppServices, 'metrics' | 'tracing'>,
  type: string,
): StreamWatch {
  const last = new Map<string, StreamProgress>()
  const spans = new Map<string, OpenSpan>()
  return {
    report(progress) {
      const { stream, phase } = progress
      const before = last.get(stream)
      last.set(stream, progress)
      metrics.wrote(type, {
        inserted: progress.rowsWritten - (before?.rowsWritten ?? 0),
        updated: progress.rowsUpdated - (before?.rowsUpdated ?? 0),
        deleted: progress.rowsDeleted - (before?.rowsDeleted ?? 0),
      })
      if (phase === 'waiting' || (before !== undefined && ends.includes(before.phase))) return
      if (!spans.has(stream)) spans.set(stream, tracing.begin('stream', { attributes: { 'tributary.stream': stream } }))
      if (ends.includes(phase)) endSpan(progress)
    },
    end() {
      for (const progress of last.values()) endSpan(progress)
    },
  }

  function endSpan({ stream, phase, rowsRead, rowsWritten, rowsRejected }: StreamProgress): void {
    const span = spans.get(stream)
    spans.delete(stream)
    span?.add({
      'tributary.rows.read': rowsRead,
      'tributary.rows.written': rowsWritten,
      'tributary.rows.rejected': rowsRejected,
    })
    span?.end(phase === 'done' ? undefined : phase)
  }
}
