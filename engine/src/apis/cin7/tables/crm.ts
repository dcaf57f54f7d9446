/** Leads, opportunities, tasks and workflows. */
import { listOf, parentTable } from '../../http/documents.ts'
import {
  day,
  type Fields,
  flag,
  guid,
  instant,
  integer,
  json,
  keyed,
  money,
  named,
  numbered,
  rate,
  text,
} from '../../http/fields.ts'
import { currency, name, word } from './columns.ts'
import { addressFields, contactFields } from './contacts.ts'
import { type Cin7Stream, listStream } from './stream-kinds.ts'

const lead = parentTable(
  'lead',
  {
    ID: keyed(guid),
    Name: name,
    LeadStatus: word,
    Amount: money,
    CloseChance: money,
    CloseDate: day,
    Currency: currency,
    PaymentTerm: name,
    PriceTier: word,
    SalesRepresentative: name,
    TaxRule: name,
    Comments: text,
  },
  [
    listOf('lead_address', 'Addresses', { ID: named('address_id', guid), ...addressFields }),
    listOf('lead_contact', 'Contacts', { ID: named('contact_id', guid), ...contactFields }),
  ],
)

const priced: Fields = {
  Quantity: money,
  Discount: money,
  Tax: money,
  TaxPercent: money,
  TaxRule: name,
  Total: money,
  Comment: text,
}
const opportunity = parentTable(
  'opportunity',
  {
    ID: keyed(guid),
    LeadID: guid,
    OpportunityNumber: named('number', word),
    OpportunityStatus: named('status', word),
    OpportunityDate: named('date', day),
    OpportunityLocation: named('location', name),
    OpportunityMemo: named('memo', text),
    OpportunityComment: named('comment', text),
    CustomerID: guid,
    CustomerName: name,
    CustomerReference: text,
    CustomerCurrency: currency,
    Contact: name,
    Phone: word,
    Currency: currency,
    CurrencyConversionRate: rate,
    DefaultAccount: word,
    PriceTier: word,
    SalesRepresentative: name,
    Terms: name,
    TermMethod: integer,
    TermDays: integer,
    TermDueNextMonth: integer,
    TaxRule: name,
    TaxInclusive: flag,
    TaxPercent: money,
    TaxTotal: money,
    Total: money,
    BillingAddressLine1: text,
    BillingAddressLine2: text,
    ShippingAddressLine1: text,
    ShippingAddressLine2: text,
    ShipToCompany: name,
    ShipToContact: name,
    ShipToAddress1: name,
    ShipToAddress2: name,
    ShipToCity: name,
    ShipToState: name,
    ShipToPostCode: name,
    ShipToCountry: name,
    ShipToOther: flag,
    ...numbered('CustomField', 10, text),
  },
  [
    listOf('opportunity_line', 'Lines', {
      ID: named('line_id', guid),
      ProductID: guid,
      ProductSku: named('sku', word),
      ProductName: name,
      Price: money,
      ...priced,
    }),
    listOf('opportunity_charge', 'AdditionalCharges', {
      ID: named('charge_id', guid),
      Description: text,
      Amount: money,
      ...priced,
    }),
  ],
)

const task = parentTable('crm_task', {
  ID: keyed(guid),
  Name: name,
  Description: text,
  Category: name,
  TaskStatus: named('status', word),
  AssignedBy: name,
  AssignedTo: name,
  EntityID: guid,
  EntityType: word,
  StartDate: instant,
  EndDate: instant,
  CompletedDate: instant,
  VoidDate: instant,
  IsAllDay: flag,
  IsImportant: flag,
  WorkflowName: name,
  Steps: json,
})

const workflow = parentTable(
  'crm_workflow',
  { ID: keyed(guid), Name: name, EntityType: word, DueDaysType: word, IsActive: flag },
  [
    listOf('crm_workflow_step', 'Steps', {
      ID: named('step_id', guid),
      Name: name,
      Category: name,
      Days: integer,
      StartTime: word,
      EndTime: word,
      SkipHoliday: word,
      UserName: name,
    }),
  ],
)

/**
 * The API reference (2024-08, section CRM) describes reading `crm/task` twice, once with tasks and once with
 * workflows. The second is under the heading `crm/workflow`, to which workflows are also written, so its path is
 * probably a copy error.
 * Both paths are supported.
 */
export const crmStreams: readonly Cin7Stream[] = [
  listStream('lead', lead, { path: 'crm/lead', rows: 'LeadList', since: 'ModifiedSince' }),
  listStream('opportunity', opportunity, { path: 'crm/opportunity', rows: 'opportunityList', since: 'ModifiedSince' }),
  listStream('crmTask', task, { path: 'crm/task', rows: 'Tasks', alternateRows: 'Workflows' }),
  {
    ...listStream('crmWorkflow', workflow, { path: 'crm/workflow', alternatePath: 'crm/task', rows: 'Workflows' }),
    optional: true,
  },
]
