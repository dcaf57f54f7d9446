/** Counts rows and traces streams of one attempt from its progress reports. */
import type { StreamProgress } from '@tributary/engine/sync/progress'
import type { AppServices } from '../../../app-services.ts'
import type { OpenSpan } from '../../../kernel/telemetry/tracing.ts'

export interface StreamInstrumentation {
  report(progress: StreamProgress): void
  /** Ends the spans of streams that had not finished when the attempt ended. */
  end(): void
}

const finalPhases: readonly string[] = ['done', 'failed', 'cancelled']

export function instrumentStreams(
  { metrics, tracing }: Pick<AppServices, 'metrics' | 'tracing'>,
  type: string,
): StreamInstrumentation {
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
      if (phase === 'waiting' || (before !== undefined && finalPhases.includes(before.phase))) return
      if (!spans.has(stream)) spans.set(stream, tracing.begin('stream', { attributes: { 'tributary.stream': stream } }))
      if (finalPhases.includes(phase)) endSpan(progress)
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
