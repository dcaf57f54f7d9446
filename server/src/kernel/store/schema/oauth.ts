/** The tables of OAuth for assistants. What a person allows an assistant is a row of `apiToken`. */
import type { TokenScope } from '@tributary/contract/token-scopes'
import type { Generated } from 'kysely'
import type { NullableTimeColumn, TimeColumn, TimeColumnWithDefault } from './column-types.ts'

export interface OauthSchema {
  oauthClient: {
    id: Generated<string>
    name: string
    redirectUris: string[]
    createdAt: TimeColumnWithDefault
  }

  oauthCode: {
    codeHash: Buffer
    organisationId: string
    userId: string
    clientId: string
    redirectUri: string
    challenge: string
    scopes: TokenScope[]
    expiresAt: TimeColumn
    usedAt: NullableTimeColumn
    tokenId: string | null
  }

  oauthSecret: {
    secretHash: Buffer
    organisationId: string
    tokenId: string
    kind: 'access' | 'refresh'
    expiresAt: TimeColumn
    usedAt: NullableTimeColumn
  }
}
