/** A TLS proxy to the tests' PostgreSQL with its protocol: a plain-text request, the reply `S`, then the handshake. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'

export interface TlsProxy extends AsyncDisposable {
  readonly port: number
  /** Number of connections that completed a TLS handshake. */
  readonly encrypted: () => number
}

/** The certificate is self-signed, so clients do not trust it. */
export async function openTlsProxy(behind: { readonly host: string; readonly port: number }): Promise<TlsProxy> {
  const { key, cert } = makeCertificate()
  const sockets = new Set<Socket>()
  let encrypted = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('error', () => {})
    socket.once('data', () => {
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, key, cert })
      const inner = connect(behind)
      sockets.add(inner)
      secure.once('secure', () => encrypted++)
      for (const end of [secure, inner]) end.on('error', () => [secure, inner].forEach((each) => each.destroy()))
      secure.pipe(inner).pipe(secure)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    encrypted: () => encrypted,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy())
      server.close()
    },
  }
}

function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-tls-'))
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-keyout',
      files.key,
      '-out',
      files.cert,
    ],
    { stdio: 'ignore' },
  )
  const made = { key: readFileSync(files.key), cert: readFileSync(files.cert) }
  rmSync(folder, { recursive: true })
  return made
}
