/** An action as the store holds it, and how its secrets are found. */
import type { PowerBiCapacity } from '@tributary/contract/publication-actions'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'

interface WebhookSettings {
  /** The address up to its path, so that people recognise it. */
  readonly origin: string
}

export interface PowerBiSettings {
  readonly tenantId: string
  readonly applicationId: string
  readonly workspaceId: string
  readonly datasetId: string
  readonly capacity: PowerBiCapacity
}

export interface DbtSettings {
  readonly host: string
  readonly accountId: string
  readonly jobId: string
}

/** The settings that are no secret, by the kind of the action. */
export type ActionSettings =
  | { readonly kind: 'webhook'; readonly settings: WebhookSettings }
  | { readonly kind: 'powerBi'; readonly settings: PowerBiSettings }
  | { readonly kind: 'dbt'; readonly settings: DbtSettings }

export interface ActionLocation {
  readonly organisationId: string
  readonly actionId: string
}

export function secretLocation({ organisationId, actionId }: ActionLocation): SecretLocation {
  return { organisationId, table: 'publication_action', column: 'secret', row: actionId }
}

export function signingSecretLocation({ organisationId, actionId }: ActionLocation): SecretLocation {
  return { organisationId, table: 'publication_action', column: 'signing_secret', row: actionId }
}

export const unreadableSecret =
  'The secret of this action can no longer be decrypted, so nothing was sent. Enter it again and save.'
