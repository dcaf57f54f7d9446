import { expect, test } from 'vitest'
import { startMailServer } from '@tributary/testing/server/identity/mail-server.ts'
import { openMailServer } from './smtp.ts'

const from = 'no-reply@tributary.example'
const mail = {
  messageId: '<a@b>',
  recipient: 'c@d.example',
  writtenAt: new Date().toISOString(),
  subject: 's',
  text: 't',
  html: 'h',
}

test('no password is sent to the mail server without encryption', async () => {
  const signIns: unknown[] = []
  await using open = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, answer) => {
      signIns.push(password)
      answer(null, { user: 'any' })
    },
  })
  const server = openMailServer(`smtp://us%40er:canary-pass@127.0.0.1:${open.port}`, from)
  await expect(server.send(mail)).rejects.toMatchObject({ code: 'ETLS' })
  server.close()
  expect([signIns, open.received]).toEqual([[], []])
})

test('a mail server with an untrusted certificate receives no mail', async () => {
  await using selfSigned = await startMailServer({ disabledCommands: ['AUTH'] })
  for (const url of [`smtp://127.0.0.1:${selfSigned.port}`, `smtp://localhost:${selfSigned.port}`]) {
    const server = openMailServer(url, from)
    await expect(server.send(mail)).rejects.toThrow(/certificate|altnames/iu)
    server.close()
  }
  expect(selfSigned.received).toEqual([])
})
