/** The tables of actions after a publication. */
import type { Generated } from 'kysely'
import type { JsonColumn, JsonColumnWithDefault, NullableTimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface PublicationActionsSchema {
  publicationAction: {
    id: Generated<string>
    organisationId: string
    kind: 'webhook' | 'powerBi' | 'dbt'
    name: string
    isOn: boolean
    setId: string | null
    settings: JsonColumn
    secret: string
    signingSecret: string | null
    failingSince: NullableTimeColumn
    createdAt: TimeColumnWithDefault
  }

  publicationActionRun: {
    id: Generated<string>
    organisationId: string
    actionId: string
    trigger: 'publication' | 'person'
    publication: JsonColumn | null
    status: Generated<'WAITING' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'DROPPED'>
    attempts: Generated<number>
    dueAt: NullableTimeColumn
    startedAt: NullableTimeColumn
    remoteId: string | null
    endedAt: NullableTimeColumn
    notice: string | null
    log: JsonColumnWithDefault
    createdAt: TimeColumnWithDefault
  }
}
