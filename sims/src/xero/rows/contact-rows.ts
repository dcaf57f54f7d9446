/** Contacts and contact groups in the API's format. */
import type { XeroCompany } from '../books/company.ts'
import { openCents } from '../books/invoices-and-payments.ts'
import type { SerialiseOptions, XeroRecord } from '../api/records.ts'
import { amount, stamp } from '../api/value-format.ts'
import type { XeroRow } from '../api/value-format.ts'
import type { XeroContact, XeroInvoice } from '../books/records.ts'

interface ContactBalance {
  outstanding: number
  overdue: number
}

export function contactList(company: XeroCompany): readonly XeroRecord[] {
  const owed = owedBy(company)
  return company.contacts.map((contact) => ({
    id: contact.id,
    status: contact.status,
    updatedAt: contact.updatedAt,
    date: null,
    facts: {
      name: contact.name,
      emailaddress: contact.email,
      contactstatus: contact.status,
      accountnumber: contact.number,
      iscustomer: contact.side === 'sell',
      issupplier: contact.side === 'buy',
    },
    row: (how) => contactRow(company, contact, { how, owed: owed(how).get(contact) }),
  }))
}

/** Lazy: computed for the first row that needs it. */
function owedBy({ invoices }: XeroCompany): (how: SerialiseOptions) => ReadonlyMap<XeroContact, ContactBalance> {
  let found: Map<XeroContact, ContactBalance> | null = null
  return ({ now }) => {
    if (found !== null) return found
    found = new Map()
    for (const invoice of invoices) {
      if (invoice.status === 'AUTHORISED') add(found, invoice, now)
    }
    return found
  }
}

function add(found: Map<XeroContact, ContactBalance>, invoice: XeroInvoice, now: number): void {
  const owed = found.get(invoice.contact) ?? { outstanding: 0, overdue: 0 }
  owed.outstanding += openCents(invoice)
  if (invoice.dueDate !== null && invoice.dueDate < now) owed.overdue += openCents(invoice)
  found.set(invoice.contact, owed)
}

function contactRow(
  company: XeroCompany,
  contact: XeroContact,
  { how, owed }: { how: SerialiseOptions; owed: ContactBalance | undefined },
): XeroRow {
  const heavy = how.detail === 'summary' ? {} : heavyPart(company, contact, owed)
  return {
    ContactID: contact.id,
    ContactNumber: contact.number,
    AccountNumber: contact.number,
    ContactStatus: contact.status,
    Name: contact.name,
    FirstName: contact.firstName,
    LastName: contact.lastName,
    EmailAddress: contact.email,
    BankAccountDetails: '',
    ...(contact.side === 'buy' && { BatchPayments: batchPaymentsOf(contact) }),
    TaxNumber: '',
    CompanyNumber: '',
    Addresses: [
      { AddressType: 'STREET', City: '', Region: '', PostalCode: '', Country: '' },
      {
        AddressType: 'POBOX',
        AddressLine1: '1 Quay St',
        City: contact.place.City,
        Region: contact.place.State,
        PostalCode: contact.place.Postcode,
        Country: contact.place.Country,
        AttentionTo: contact.firstName,
      },
    ],
    Phones: ['DDI', 'DEFAULT', 'FAX', 'MOBILE'].map((kind) => ({
      PhoneType: kind,
      PhoneNumber: kind === 'DEFAULT' ? contact.phone : '',
      PhoneAreaCode: kind === 'DEFAULT' ? '04' : '',
      PhoneCountryCode: kind === 'DEFAULT' ? '64' : '',
    })),
    UpdatedDateUTC: stamp(contact.updatedAt),
    IsSupplier: contact.side === 'buy',
    IsCustomer: contact.side === 'sell',
    DefaultCurrency: contact.currency,
    ...heavy,
    HasAttachments: false,
    HasValidationErrors: false,
  }
}

/** A supplier's bank account and payment reference. */
function batchPaymentsOf({ number, name }: XeroContact): XeroRow {
  return {
    BankAccountNumber: `12-3456-${number}`,
    BankAccountName: name,
    Details: 'Paid by batch',
    Code: 'SUPPLIER',
    Reference: number,
  }
}

function heavyPart(
  { tracking }: XeroCompany,
  { groups, people, side }: XeroContact,
  owed: ContactBalance = { outstanding: 0, overdue: 0 },
): XeroRow {
  const none = { Outstanding: amount(0), Overdue: amount(0) }
  const some = { Outstanding: amount(owed.outstanding), Overdue: amount(owed.overdue) }
  const [category] = tracking
  const [option] = category?.options ?? []
  const tracked =
    groups.length > 0 && category !== undefined && option !== undefined
      ? [
          {
            TrackingCategoryID: category.id,
            TrackingCategoryName: category.name,
            TrackingOptionID: option.id,
            TrackingOptionName: option.name,
          },
        ]
      : []
  return {
    ContactPersons: people.map(({ firstName, lastName, email }) => ({
      FirstName: firstName,
      LastName: lastName,
      EmailAddress: email,
      IncludeInEmails: true,
    })),
    ContactGroups: groups.map(({ id, name }) => ({
      ContactGroupID: id,
      Name: name,
      Status: 'ACTIVE',
      Contacts: [],
      HasValidationErrors: false,
    })),
    SalesTrackingCategories: side === 'sell' ? tracked : [],
    PurchasesTrackingCategories: side === 'buy' ? tracked : [],
    Balances: { AccountsReceivable: side === 'sell' ? some : none, AccountsPayable: side === 'buy' ? some : none },
  }
}

/** Members are returned only for a group fetched by its id. */
export function groupList({ groups, contacts }: XeroCompany): readonly XeroRecord[] {
  return groups.map((group) => ({
    id: group.id,
    status: 'ACTIVE',
    updatedAt: null,
    date: null,
    facts: { name: group.name },
    row: ({ isAlone }) => ({
      ContactGroupID: group.id,
      Name: group.name,
      Status: 'ACTIVE',
      Contacts: isAlone
        ? contacts.filter((each) => each.groups.includes(group)).map(({ id, name }) => ({ ContactID: id, Name: name }))
        : [],
      HasValidationErrors: false,
    }),
  }))
}
