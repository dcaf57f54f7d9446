/** Reads every entity set with @odata/client, and prints the rows as JSON by the name of the set. */
import { createRequire } from 'node:module'

const { ODATA_PACKAGES: packages, ODATA_SERVICE: service, ODATA_TOKEN: token } = process.env
const { OData } = createRequire(`${packages}/package.json`)('@odata/client')

const client = OData.New4({
  serviceEndpoint: service,
  metadataUri: `${service}$metadata`,
  credential: { username: 'anyone', password: token },
})
const { value: sets } = await (await fetch(service, { headers: { authorization: `Bearer ${token}` } })).json()
const found = {}
for (const { name } of sets) found[name] = await readSet(name)
process.stdout.write(JSON.stringify(found))

/** The client reads one page at a time, and leaves the next link to its user. */
async function readSet(name) {
  const rows = []
  for (let params = client.newOptions(); ;) {
    const page = await client.newRequest({ collection: name, method: 'GET', params })
    rows.push(...page.value)
    const next = page['@odata.nextLink']
    if (next === undefined) return rows
    params = client.newOptions().custom('$skiptoken', new URL(next).searchParams.get('$skiptoken'))
  }
}
