/** The metrics of the process. If metrics are off, every method is a no-op. */

export interface Metrics {
  /** Records a call. @param route its pattern, or `unknown` */
  recordCall(call: {
    readonly route: string
    readonly method: string
    readonly status: number
    readonly ms: number
  }): void
  /**
   * Records the end of a worker's attempt at a run. Without `ms`: the lease reaper took the run from another worker (`lost` or
   * `failed`), whose duration is unknown. @param type the connector type
   */
  recordRunEnd(run: { readonly type: string; readonly result: RunResult; readonly ms?: number }): void
  wrote(type: string, rows: { readonly [change in RowChange]: number }): void
  /** Records that a run has verified a table. */
  recordVerification(verification: { readonly type: string; readonly outcome: string; readonly rows: number }): void
  refreshFailed(type: string): void
  mailFailed(result: 'tried again' | 'given up'): void
  /** Records that a new password could not be looked up among breached passwords. */
  recordUncheckedPassword(): void
  /** Adds gauges. `read` runs at each scrape; if it throws, its gauges are omitted. */
  addGauges(read: GaugeReader): void
  /** All metrics in Prometheus's text format. */
  text(): Promise<string>
}

export type RunResult = 'completed' | 'failed' | 'cancelled' | 'waiting' | 'handed_back' | 'lost'
type RowChange = 'inserted' | 'updated' | 'deleted'
export type GaugeReader = () => Promise<readonly GaugeValue[]> | readonly GaugeValue[]

export interface GaugeValue {
  readonly name: keyof typeof gauges
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** The gauges with their help texts. Gauges about the store have the same value in every process. */
export const gauges = {
  tributary_store_up: '1 while the database answers, else 0.',
  tributary_queue_depth: 'Runs that are not over, by state: queued, waiting for their next try, running.',
  tributary_runs_waiting:
    'Runs that no worker holds, by what they wait for: a worker with free memory, the share of their organisation, a retry, a verification that stops, a connection, an approval.',
  tributary_needed_memory_bytes: 'Memory that running runs hold and claimable runs need.',
  tributary_queue_oldest_seconds: 'How long the run has waited that is queued longest.',
  tributary_schedule_lateness_seconds: 'How long the schedule is overdue that should have fired first.',
  tributary_type_freshness_seconds:
    'Age of the oldest table of a connector with a schedule, by type: of half of them (0.5), nine of ten (0.9), all (1) it is less.',
  tributary_freshness_seconds:
    'Age of the oldest table of a connector with a schedule, of the connectors that wait longest.',
  tributary_incidents: 'Troubles that are open, by kind.',
  tributary_mail_waiting: 'Mails that are not sent yet.',
  tributary_mail_lateness_seconds: 'How long the mail is overdue that should have gone out first.',
  tributary_backup_age_seconds:
    'Seconds since the start of the last backup that Tributary made; absent before the first backup.',
  tributary_sse_clients: 'People who watch a run as it goes, at this process.',
  tributary_draining: '1 while this process is shutting down.',
  nodejs_eventloop_delay_seconds: 'How late the process gets round to things, since the figures were last asked for.',
  process_resident_memory_bytes: 'Memory of this process.',
  nodejs_heap_used_bytes: 'Memory of its JavaScript objects.',
  process_start_time_seconds: 'When this process started, in seconds since 1970.',
} as const

export const noMetrics: Metrics = {
  recordCall: () => undefined,
  recordRunEnd: () => undefined,
  wrote: () => undefined,
  recordVerification: () => undefined,
  refreshFailed: () => undefined,
  mailFailed: () => undefined,
  recordUncheckedPassword: () => undefined,
  addGauges: () => undefined,
  text: async () => '',
}
