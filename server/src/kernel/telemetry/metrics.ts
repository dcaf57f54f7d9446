/** What the process counts for those who watch over it. Off, every call of it does nothing. */

export interface Metrics {
  /** A call has been answered. @param route its pattern, or `unknown`. */
  answered(call: {
    readonly route: string
    readonly method: string
    readonly status: number
    readonly ms: number
  }): void
  /** A worker has let go of a run, after so long; or has taken one back, `lost` or `failed`, from another that was at it for nobody knows how long. @param type the connector's. */
  letGo(run: { readonly type: string; readonly result: RunResult; readonly ms?: number }): void
  wrote(type: string, rows: { readonly [change in RowChange]: number }): void
  refreshFailed(type: string): void
  mailFailed(result: 'tried again' | 'given up'): void
  /** A new password could not be looked for among the breached ones. */
  passwordUnchecked(): void
  /** `read` is asked whenever the figures are; what it throws leaves its gauges out. */
  watch(read: ReadGauges): void
  /** All of it, as Prometheus reads it. */
  text(): Promise<string>
}

export type RunResult = 'completed' | 'failed' | 'cancelled' | 'waiting' | 'handed_back' | 'lost'
type RowChange = 'inserted' | 'updated' | 'deleted'
export type ReadGauges = () => Promise<readonly GaugeValue[]> | readonly GaugeValue[]

export interface GaugeValue {
  readonly name: keyof typeof gauges
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** What is as it is at the moment, with the sentence that explains it. Of the store each process tells the same. */
export const gauges = {
  tributary_store_up: '1 while the database answers, else 0.',
  tributary_queue_depth: 'Runs that are not over, by state: queued, waiting for their next try, running.',
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
    'How long ago the last backup that Tributary has made was begun; nothing while there is none.',
  tributary_sse_clients: 'People who watch a run as it goes, at this process.',
  tributary_draining: '1 once this process has been told to stop.',
  nodejs_eventloop_delay_seconds: 'How late the process gets round to things, since the figures were last asked for.',
  process_resident_memory_bytes: 'Memory of this process.',
  nodejs_heap_used_bytes: 'Memory of its JavaScript objects.',
  process_start_time_seconds: 'When this process started, in seconds since 1970.',
} as const

export const noMetrics: Metrics = {
  answered: () => undefined,
  letGo: () => undefined,
  wrote: () => undefined,
  refreshFailed: () => undefined,
  mailFailed: () => undefined,
  passwordUnchecked: () => undefined,
  watch: () => undefined,
  text: async () => '',
}
