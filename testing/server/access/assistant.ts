/** An assistant: the official client of the Model Context Protocol, with an access token, over the network. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { TokenScope } from '@tributary/contract/token-scopes'
import { generateToken } from '../../../server/src/identity/tokens/token-format.ts'
import { hashOf } from '../../../server/src/security/secrets/one-time-codes.ts'
import type { TestApp } from '../app/test-app.ts'

const dayMs = 86_400_000

interface StoredToken {
  readonly userId: string
  readonly scopes?: readonly TokenScope[]
  readonly organisationId?: string
  readonly expiresInMs?: number
  readonly isRevoked?: boolean
}

/** Stores a token, without the second factor that making one needs. Returns its secret. */
export async function storeToken(app: TestApp, token: StoredToken): Promise<string> {
  const { userId, scopes = ['data.read', 'status.read'], organisationId = app.harbour.id } = token
  const secret = generateToken('person')
  const now = new Date(app.clock.now())
  await app.store.within(organisationId, (db) =>
    db
      .insertInto('apiToken')
      .values({
        organisationId,
        userId,
        name: 'Assistant',
        scopes: [...scopes],
        secretHash: hashOf(secret),
        expiresAt: new Date(now.getTime() + (token.expiresInMs ?? 90 * dayMs)),
        revokedAt: token.isRevoked === true ? now : null,
      })
      .execute(),
  )
  return secret
}

/** The address of the server, listening on a free port. */
export async function listenForAssistants(app: TestApp): Promise<string> {
  return app.http.server.listening
    ? `http://127.0.0.1:${(app.http.server.address() as { readonly port: number }).port}`
    : app.http.listen({ host: '127.0.0.1', port: 0 })
}

export interface ToolResult {
  readonly isError: boolean
  /** The parts of the text. */
  readonly texts: readonly string[]
  // What a tool returned, whose fields a test names.
  readonly data: Readonly<Record<string, never>>
}

export class Assistant implements AsyncDisposable {
  readonly client: Client

  private constructor(client: Client) {
    this.client = client
  }

  static async connect(app: TestApp, secret: string): Promise<Assistant> {
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${secret}` }
    const address = new URL(`${await listenForAssistants(app)}/mcp`)
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
    // Then the client checks every result by the tool's output schema.
    await client.listTools()
    return new Assistant(client)
  }

  async call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<ToolResult> {
    const { isError, content, structuredContent } = await this.client.callTool({ name, arguments: { ...input } })
    const texts = (content as { readonly text: string }[]).map(({ text }) => text)
    return { isError: isError === true, texts, data: structuredContent as ToolResult['data'] }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close()
  }
}

/** With both scopes of assistants, unless the caller says otherwise. */
export async function assistantOf(app: TestApp, token: StoredToken): Promise<Assistant> {
  return Assistant.connect(app, await storeToken(app, token))
}
