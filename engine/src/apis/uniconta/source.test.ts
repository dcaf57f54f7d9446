import { simulated } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { testSource } from '@tributary/testing/conformance/source/source-suite.ts'

testSource('Uniconta, simulated', async () => {
  const there = await simulated()
  return {
    open: (signal) => there.open(signal),
    openRefused: () => there.open(undefined, { 'uniconta.password': 'not-the-right-word' }),
    async change() {
      there.clock.advance(3_600_000)
      for (let step = 0; step < 5; step += 1) there.sim.tick()
      return ['GLTransClient', 'DebtorInvoiceClient', 'DebtorInvoiceLines', 'InvTransClient', 'DebtorTransClient']
    },
    rows: {
      CompanyClient: 2,
      GLAccountClient: 16,
      DebtorClient: 30,
      CreditorClient: 12,
      DebtorInvoiceClient: 90,
      GLTransClient: 390,
    },
    secrets: [
      there.sim.password,
      'not-the-right-word',
      Buffer.from(`tributary:${there.sim.password}`).toString('base64'),
    ],
    [Symbol.asyncDispose]: () => there[Symbol.asyncDispose](),
  }
})
