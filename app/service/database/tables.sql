-- What the database holds, on both stores. A text is folded or in small letters where a comment says so, and
-- constraints are named as `columns.metadata` names them. These words stand for what each store has its own for
-- (`migrations/first_tables.py`): COUNTER, INSTANT, JSONB (its keys may be reordered), JSON (they keep their
-- order), BYTES, DOUBLE, ORDERED (sorted by code points), TRUE and FALSE; WITHOUT ROWID is for SQLite alone.

-- === What the hosts of a deployment have in common: key and files beside the database, and
-- versions that work with it.

CREATE TABLE fingerprint (
  name VARCHAR(20) NOT NULL,  -- secret-key, files-folder
  value VARCHAR(64) NOT NULL,
  CONSTRAINT pk_fingerprint PRIMARY KEY (name)
);

CREATE TABLE schema_support (
  -- One row: a version that knows this revision works with the database, one that knows only older ones
  -- does not.
  oldest_code VARCHAR(32) NOT NULL,
  CONSTRAINT pk_schema_support PRIMARY KEY (oldest_code)
);

-- === Who may call, how often, and which answers are kept for a repeated call.

CREATE TABLE organisation (
  id VARCHAR(36) NOT NULL,
  name TEXT NOT NULL,
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_organisation PRIMARY KEY (id),
  CONSTRAINT uq_organisation_name UNIQUE (name)
);

CREATE TABLE api_key (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  name TEXT NOT NULL,
  digest VARCHAR(64) NOT NULL,  -- SHA-256 of the key, which is random
  hint VARCHAR(12) NOT NULL,  -- how the key begins, to tell keys apart in a list
  read_only BOOLEAN NOT NULL,  -- for versions that know no roles
  role VARCHAR(6),  -- null: made by such a version (`keys.key_role`)
  -- Whether what is made with it is marked as sample data.
  sample BOOLEAN DEFAULT FALSE NOT NULL,
  created_at INSTANT NOT NULL,
  revoked_at INSTANT,
  expires_at INSTANT,
  networks TEXT,  -- that it works from, with spaces between them; null: from any
  used_at INSTANT,
  used_address VARCHAR(45),
  CONSTRAINT pk_api_key PRIMARY KEY (id),
  CONSTRAINT uq_api_key_digest UNIQUE (digest),
  CONSTRAINT fk_api_key_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_api_key_organisation_id ON api_key (organisation_id);

CREATE TABLE request_count (
  api_key_id VARCHAR(36) NOT NULL,
  minute BIGINT NOT NULL,  -- minutes since 1970
  requests INTEGER NOT NULL,
  CONSTRAINT pk_request_count PRIMARY KEY (api_key_id, minute)
);

-- Bytes of text that calls wrote: each adds a row, and a worker sums them up.
CREATE TABLE written_bytes (
  id COUNTER NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  number BIGINT NOT NULL,
  CONSTRAINT pk_written_bytes PRIMARY KEY (id)
);
CREATE INDEX ix_written_bytes_organisation_id ON written_bytes (organisation_id);

CREATE TABLE idempotent_call (
  api_key_id VARCHAR(36) NOT NULL,  -- or the person's
  path TEXT NOT NULL,  -- of a person after the organisation's id
  idempotency_key TEXT NOT NULL,
  body_digest VARCHAR(64) NOT NULL,
  answer BYTES,  -- encrypted; null while the first call runs
  started_at INSTANT NOT NULL,
  CONSTRAINT pk_idempotent_call PRIMARY KEY (api_key_id, path, idempotency_key)
);
CREATE INDEX ix_idempotent_call_started_at ON idempotent_call (started_at);

-- === People who sign in, their roles in organisations, the sessions of people and keys, the audit
-- log, and the calls of agents.

CREATE TABLE user_account (
  id VARCHAR(36) NOT NULL,
  name TEXT NOT NULL,  -- as the identity provider states it, else the subject
  email TEXT,
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_user_account PRIMARY KEY (id)
);

CREATE TABLE identity (
  issuer VARCHAR(500) NOT NULL,
  subject VARCHAR(255) NOT NULL,
  user_id VARCHAR(36) NOT NULL,
  CONSTRAINT pk_identity PRIMARY KEY (issuer, subject),
  CONSTRAINT fk_identity_user_id FOREIGN KEY (user_id) REFERENCES user_account (id)
);
CREATE INDEX ix_identity_user_id ON identity (user_id);

CREATE TABLE membership (
  user_id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  role VARCHAR(6) NOT NULL,  -- reader, buyer, admin or owner
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_membership PRIMARY KEY (user_id, organisation_id),
  CONSTRAINT fk_membership_user_id FOREIGN KEY (user_id) REFERENCES user_account (id),
  CONSTRAINT fk_membership_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_membership_organisation_id ON membership (organisation_id);

CREATE TABLE user_session (
  id VARCHAR(36) NOT NULL,
  digest VARCHAR(64) NOT NULL,  -- SHA-256 of the token, which is random
  organisation_id VARCHAR(36) NOT NULL,
  -- One of the two: a person who signed in with the identity provider, or an API key.
  user_id VARCHAR(36),
  api_key_id VARCHAR(36),
  provider_session VARCHAR(255),  -- its `sid`, by which the provider ends it
  id_token BYTES,  -- sealed: the provider takes it as a hint at the sign-out
  started_at INSTANT NOT NULL,
  seen_at INSTANT NOT NULL,
  CONSTRAINT pk_user_session PRIMARY KEY (id),
  CONSTRAINT uq_user_session_digest UNIQUE (digest),
  CONSTRAINT fk_user_session_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_user_session_user_id FOREIGN KEY (user_id) REFERENCES user_account (id),
  CONSTRAINT fk_user_session_api_key_id FOREIGN KEY (api_key_id) REFERENCES api_key (id)
);
CREATE INDEX ix_user_session_api_key_id ON user_session (api_key_id);
CREATE INDEX ix_user_session_started_at ON user_session (started_at);
CREATE INDEX ix_user_session_user_id ON user_session (user_id);

CREATE TABLE used_ticket (
  holder VARCHAR(36) NOT NULL,  -- whose ticket it is, or what kind
  digest VARCHAR(64) NOT NULL,
  used_at INSTANT NOT NULL,
  CONSTRAINT pk_used_ticket PRIMARY KEY (holder, digest)
);
CREATE INDEX ix_used_ticket_used_at ON used_ticket (used_at);

-- Rows are only added; triggers of both stores refuse everything else. No foreign keys: an entry outlives
-- what it names, and takes no lock on its organisation.
CREATE TABLE audit_entry (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  at INSTANT NOT NULL,
  actor_kind VARCHAR(7) NOT NULL,  -- key or person
  actor_id VARCHAR(36) NOT NULL,
  -- Of a key or a command at that time. A person's is that of `user_account`, so that it can be erased.
  actor_name TEXT NOT NULL,
  action VARCHAR(60) NOT NULL,  -- the id of the operation
  summary TEXT NOT NULL,  -- the operation in plain words
  object_kind VARCHAR(20) NOT NULL,
  object_id VARCHAR(200),
  object_name TEXT,
  request_id TEXT NOT NULL,
  details JSONB NOT NULL,  -- names of fields and ids of the path, never values
  CONSTRAINT pk_audit_entry PRIMARY KEY (id)
);
CREATE INDEX ix_audit_entry_organisation ON audit_entry (organisation_id, id);
CREATE INDEX ix_audit_entry_object ON audit_entry (organisation_id, object_id, id);
-- A page of each filter is read from the end of one of them.
CREATE INDEX ix_audit_entry_by_time ON audit_entry (organisation_id, at, id);
CREATE INDEX ix_audit_entry_by_actor ON audit_entry (organisation_id, actor_id, at, id);
CREATE INDEX ix_audit_entry_by_action ON audit_entry (organisation_id, action, at, id);
CREATE INDEX ix_audit_entry_by_kind ON audit_entry (organisation_id, object_kind, at, id);
CREATE INDEX ix_audit_entry_by_object ON audit_entry (organisation_id, object_id, at, id);

-- As the entries, its rows are only added.
CREATE TABLE audit_link (
  organisation_id VARCHAR(36) NOT NULL,
  number BIGINT NOT NULL,  -- from 1, without a gap
  entry_id VARCHAR(36) NOT NULL,
  hash VARCHAR(64) NOT NULL,  -- of the entry and of the hash before (`audit_chain`)
  CONSTRAINT pk_audit_link PRIMARY KEY (organisation_id, number),
  CONSTRAINT uq_audit_link_entry_id UNIQUE (entry_id)
);

-- To whom an organisation's mail about what is on record went.
CREATE TABLE mail_recipient (
  organisation_id VARCHAR(36) NOT NULL,
  address VARCHAR(320) NOT NULL,  -- in small letters
  token VARCHAR(43) NOT NULL,  -- of the link, which does nothing else
  refused_at INSTANT,  -- when they said that they want no mail
  CONSTRAINT pk_mail_recipient PRIMARY KEY (organisation_id, address),
  CONSTRAINT uq_mail_recipient_token UNIQUE (token)
);

-- Calls of agents' tools: the newest of each key and person, and nothing of what they said.
CREATE TABLE agent_call (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  at INSTANT NOT NULL,  -- when it ended
  actor_kind VARCHAR(7) NOT NULL,  -- key or person
  actor_id VARCHAR(36) NOT NULL,
  actor_name TEXT NOT NULL,  -- at that time
  tool VARCHAR(60) NOT NULL,
  outcome VARCHAR(20) NOT NULL,
  status INTEGER,
  seconds DOUBLE NOT NULL,
  CONSTRAINT pk_agent_call PRIMARY KEY (id),
  CONSTRAINT fk_agent_call_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_agent_call_organisation_id_id ON agent_call (organisation_id, id);

-- === Uploaded files. The bytes are in the file store under the row's id.

CREATE TABLE file (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  filename TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  sha256 VARCHAR(64) NOT NULL,
  end_user JSONB,
  sample BOOLEAN DEFAULT FALSE NOT NULL,
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_file PRIMARY KEY (id),
  CONSTRAINT fk_file_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_file_organisation_id_sha256 ON file (organisation_id, sha256);

-- === Workers and their heartbeats, so that one can take over a dead one's work, and tasks.

CREATE TABLE worker (
  -- Of one start of a worker. What it takes (`webhook.worker_id`, `task.worker_id`) is its own while
  -- this row is there.
  id VARCHAR(36) NOT NULL,
  slot TEXT NOT NULL,
  started_at INSTANT NOT NULL,
  seen_at INSTANT NOT NULL,
  version TEXT DEFAULT '' NOT NULL,
  -- The kinds of tasks that it can do; null: of a version that did not say.
  task_kinds JSONB,
  -- Whether it takes what is due: not while it ends, nor while the thread that takes work stands still.
  takes_work BOOLEAN DEFAULT TRUE NOT NULL,
  CONSTRAINT pk_worker PRIMARY KEY (id)
);

CREATE TABLE task (
  kind TEXT NOT NULL,  -- of `worker.handlers`
  subject_id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36),  -- whose turn it takes; null: of the whole deployment
  worker_id VARCHAR(36),  -- who does it now; null: nobody
  created_at INSTANT NOT NULL,
  due_at INSTANT NOT NULL,  -- later than created when it is tried again
  attempts INTEGER NOT NULL,
  CONSTRAINT pk_task PRIMARY KEY (kind, subject_id)
);
CREATE INDEX ix_task_due_at ON task (due_at);

-- === The catalog. Each row keeps the columns that are searched or sorted by, and the record as
-- it goes over the wire (`wire_*`, JSON text), built once when the row is written. `organisation_id` is
-- null for what everybody sees, else only that organisation does (`visibility.visible_to`).

CREATE TABLE category (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36),  -- null: everybody's
  parent_id VARCHAR(36),
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  sort_name ORDERED NOT NULL,  -- folded name: one order on both stores
  last_updated_at INSTANT NOT NULL,
  wire_list TEXT NOT NULL,
  CONSTRAINT pk_category PRIMARY KEY (id),
  CONSTRAINT fk_category_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_category_parent_id FOREIGN KEY (parent_id) REFERENCES category (id)
);
CREATE INDEX ix_category_parent_id_sort_name_id ON category (parent_id, sort_name, id);
-- Those of one organisation: few among many that everybody sees.
CREATE INDEX ix_category_own ON category (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE INDEX ix_category_parent_id ON category (parent_id);

CREATE TABLE company (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36),  -- null: everybody's
  name TEXT NOT NULL,
  sort_name ORDERED NOT NULL,  -- folded name: one order and one search on both stores
  name_key TEXT NOT NULL,  -- as `names.company_key`: without "Ltd."
  legal_name TEXT NOT NULL,
  domain TEXT NOT NULL,  -- lower case, without www.; "" where unknown
  category_id VARCHAR(36),
  discontinued BOOLEAN NOT NULL,
  sample BOOLEAN NOT NULL,
  -- Everything of the record that is not a column, not a part and not counted from purchases:
  -- description, url, icon, fiscalYearEnd, stockSymbols, competitorIds.
  details JSON NOT NULL,
  real_purchase_count INTEGER DEFAULT 0 NOT NULL,  -- as last counted
  last_updated_at INSTANT NOT NULL,
  wire_read TEXT NOT NULL,
  wire_list TEXT NOT NULL,
  CONSTRAINT pk_company PRIMARY KEY (id),
  CONSTRAINT fk_company_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_company_category_id FOREIGN KEY (category_id) REFERENCES category (id)
);
CREATE INDEX ix_company_sort_name_id_organisation_id ON company (sort_name, id, organisation_id);
CREATE INDEX ix_company_category_id ON company (category_id);
CREATE INDEX ix_company_domain ON company (domain);
CREATE INDEX ix_company_name_key ON company (name_key);
-- Those of one organisation: few among many that everybody sees.
CREATE INDEX ix_company_own ON company (organisation_id) WHERE organisation_id IS NOT NULL;

CREATE TABLE product_family (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36),  -- null: everybody's
  company_id VARCHAR(36) NOT NULL,
  name TEXT NOT NULL,
  sort_name ORDERED NOT NULL,
  sort_order INTEGER NOT NULL,
  last_updated_at INSTANT NOT NULL,
  wire_list TEXT NOT NULL,  -- its read is the same
  CONSTRAINT pk_product_family PRIMARY KEY (id),
  CONSTRAINT fk_product_family_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_product_family_company_id FOREIGN KEY (company_id) REFERENCES company (id)
);
CREATE INDEX ix_product_family_company_id_sort_order_id ON product_family (company_id, sort_order, id);
CREATE INDEX ix_product_family_company_id_sort_name_id ON product_family (company_id, sort_name, id);
CREATE INDEX ix_product_family_sort_name ON product_family (sort_name);
-- Those of one organisation: few among many that everybody sees.
CREATE INDEX ix_product_family_own ON product_family (organisation_id) WHERE organisation_id IS NOT NULL;

CREATE TABLE product (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36),  -- null: everybody's
  company_id VARCHAR(36) NOT NULL,
  family_id VARCHAR(36),
  name TEXT NOT NULL,
  sort_name ORDERED NOT NULL,
  name_key TEXT NOT NULL,  -- as `names.name_key`: by which imports meet
  sort_order INTEGER NOT NULL,
  item_id TEXT,  -- the supplier's own number, as quotes print it
  item_key TEXT,  -- as `names.item_key`
  currency VARCHAR(3),
  default_price DOUBLE,  -- of one unit and price period
  -- description, icon, url, competitorIds (products)
  details JSON NOT NULL,
  -- pricingDimensions and includedFeatures as they go over the wire; which column of past purchases
  -- (`purchase.attributes`) a dimension stands for is in `dimension_source` {dimension id: column}
  dimensions JSON NOT NULL,
  features JSON NOT NULL,
  dimension_source JSON NOT NULL,
  quantity_dimension_id VARCHAR(36),  -- the dimension that carries the number bought
  purchase_count INTEGER DEFAULT 0 NOT NULL,  -- all on record
  -- Whether an estimate of it succeeds, as last checked (`pricing.estimate_availability`).
  estimate_available BOOLEAN DEFAULT FALSE NOT NULL,
  -- Purchases came in that the dimensions and figures above do not know yet.
  stale BOOLEAN DEFAULT FALSE NOT NULL,
  last_updated_at INSTANT NOT NULL,
  wire_read TEXT NOT NULL,
  wire_list TEXT NOT NULL,
  CONSTRAINT pk_product PRIMARY KEY (id),
  CONSTRAINT fk_product_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_product_company_id FOREIGN KEY (company_id) REFERENCES company (id),
  CONSTRAINT fk_product_family_id FOREIGN KEY (family_id) REFERENCES product_family (id)
);
-- Pages in either order, and by part of a name, without reading the rows before them.
CREATE INDEX ix_product_company_id_sort_order_id_organisation_id_sort_name
  ON product (company_id, sort_order, id, organisation_id, sort_name);
CREATE INDEX ix_product_company_id_sort_name_id_organisation_id
  ON product (company_id, sort_name, id, organisation_id);
-- The latest products of a supplier or a family, which are the first to be compared with.
CREATE INDEX ix_product_company_id_id ON product (company_id, id);
CREATE INDEX ix_product_family_id_id ON product (family_id, id);
CREATE INDEX ix_product_name_key_company_id ON product (name_key, company_id);
CREATE INDEX ix_product_item_key ON product (item_key);
-- Those of one organisation: few among many that everybody sees.
CREATE INDEX ix_product_own ON product (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE INDEX ix_product_stale ON product (id) WHERE stale IS TRUE;

-- The parts of three characters of `company.name_key` between two spaces, kept by triggers on `company`:
-- suppliers of a similar name are found by the parts that few names have (`supplier_match`).
CREATE TABLE company_gram (
  gram ORDERED NOT NULL,
  company_id VARCHAR(36) NOT NULL,
  CONSTRAINT pk_company_gram PRIMARY KEY (gram, company_id)
) WITHOUT ROWID;  -- the key is the row

-- How many rows `company` and `product` have of each owner, kept by triggers on both: a page of a long
-- list tells the number of all without counting them. The number of a list is the sum of its rows: on
-- PostgreSQL every statement adds one, so that nobody waits for another's; `paging` sums them up.
CREATE TABLE entry_count (
  id COUNTER NOT NULL,
  list_id VARCHAR(36) NOT NULL,  -- the products of this company; "": the companies
  organisation_id VARCHAR(36),  -- null: everybody's
  number INTEGER NOT NULL,
  CONSTRAINT pk_entry_count PRIMARY KEY (id)
);
CREATE INDEX ix_entry_count_list_id_organisation_id ON entry_count (list_id, organisation_id);

-- What an organisation sees otherwise than everybody else: its own purchases add options, counts and
-- samples to a shared company or product, and its own products stand in a shared company's record. What is
-- null is as everybody sees it (`visibility.as_seen_by`).
CREATE TABLE organisation_view (
  organisation_id VARCHAR(36) NOT NULL,
  -- Of a category, company, family or product that everybody sees.
  record_id VARCHAR(36) NOT NULL,
  -- A product's, with what only these purchases have, and what they cost.
  dimensions JSON,
  dimension_source JSON,
  currency VARCHAR(3),
  default_price DOUBLE,
  purchase_count INTEGER,  -- the shared ones and the organisation's own
  estimate_available BOOLEAN,
  -- Purchases came in that this row does not know yet.
  stale BOOLEAN DEFAULT FALSE NOT NULL,
  last_updated_at INSTANT,
  wire_read TEXT,
  wire_list TEXT,
  CONSTRAINT pk_organisation_view PRIMARY KEY (organisation_id, record_id),
  CONSTRAINT fk_organisation_view_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_organisation_view_record_id ON organisation_view (record_id);

-- === Scopes and the documents that some are read from.

CREATE TABLE scope (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  source VARCHAR(8) NOT NULL,  -- manual or document
  created_on INSTANT NOT NULL,
  currency VARCHAR(3) NOT NULL,
  scope_terms JSONB NOT NULL,  -- as NewScopeTerm: more than the wire shows
  product_terms JSONB NOT NULL,  -- as NewProductTerm
  previous_scope_id VARCHAR(36),
  next_scope_id VARCHAR(36),  -- the latest that follows; no foreign key: it comes later
  end_user JSONB,
  sample BOOLEAN DEFAULT FALSE NOT NULL,
  document_scope_id VARCHAR(36),  -- the scope whose document is the quote behind this one, often itself
  quote_lines JSONB,  -- what each line of that quote is here: `scopes.quote.QuoteLine`
  name TEXT,  -- as a person gave it
  archived_at INSTANT,
  owners JSONB,  -- `contract.owners.Owner`
  -- From here on what a list shows and searches, made of the rest by `scopes.listing`.
  title TEXT DEFAULT '' NOT NULL,  -- the name, or one that was made
  status VARCHAR(14) DEFAULT 'ready' NOT NULL,  -- contract's ScopeStatus
  company_id VARCHAR(36),  -- of the supplier, where it is in the catalog
  supplier_name TEXT,
  search_text TEXT DEFAULT '' NOT NULL,
  CONSTRAINT pk_scope PRIMARY KEY (id),
  CONSTRAINT fk_scope_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_scope_previous_scope_id FOREIGN KEY (previous_scope_id) REFERENCES scope (id)
);
-- Each holds what else its list is filtered by, so that a scope that does not match is not fetched.
CREATE INDEX ix_scope_newest ON scope (organisation_id, created_on, id, archived_at, search_text);
CREATE INDEX ix_scope_status ON scope (organisation_id, status, created_on, id, archived_at, search_text);
CREATE INDEX ix_scope_company ON scope (organisation_id, company_id, status, created_on, id, archived_at);

CREATE TABLE scope_document (
  scope_id VARCHAR(36) NOT NULL,
  file_id VARCHAR(36),  -- null until a foreign address was fetched
  url TEXT,
  purchase_type VARCHAR(12),
  status VARCHAR(10) NOT NULL,  -- pending processing completed failed
  filename TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  document_type VARCHAR(10) NOT NULL,  -- order_form contract other
  error TEXT,
  reading JSONB,  -- what was read, with evidence; how each line was matched
  quote_key TEXT,  -- supplier and number: `scopes.same_quotes.make_quote_key`
  quote_position INTEGER DEFAULT 1 NOT NULL,  -- in a file of several
  updated_at INSTANT NOT NULL,
  CONSTRAINT pk_scope_document PRIMARY KEY (scope_id),
  CONSTRAINT fk_scope_document_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id),
  CONSTRAINT fk_scope_document_file_id FOREIGN KEY (file_id) REFERENCES file (id)
);
CREATE INDEX ix_scope_document_file_id ON scope_document (file_id);
CREATE INDEX ix_scope_document_quote_key ON scope_document (quote_key);
CREATE INDEX ix_scope_document_status ON scope_document (status);

-- === Past purchases: what estimates are made from. `organisation_id` is null for those of the
-- deployment.

-- A product in one of the wordings under which it was bought. Searched by words: `word_search`.
CREATE TABLE article (
  id COUNTER NOT NULL,
  product_id VARCHAR(36) NOT NULL,
  text TEXT NOT NULL,  -- the product as the purchase words it
  brand TEXT,
  category TEXT,
  description TEXT,
  digest VARCHAR(32) NOT NULL,  -- of the four texts and the organisation
  organisation_id VARCHAR(36),  -- whose wording; null: everybody's
  sample BOOLEAN DEFAULT FALSE NOT NULL,  -- of an invented supplier
  CONSTRAINT pk_article PRIMARY KEY (id),
  CONSTRAINT uq_article_product_id_digest UNIQUE (product_id, digest),
  CONSTRAINT fk_article_product_id FOREIGN KEY (product_id) REFERENCES product (id),
  CONSTRAINT fk_article_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

CREATE TABLE purchase (
  id PURCHASE NOT NULL,  -- the same whenever the same row of a file is imported: `ids`
  organisation_id VARCHAR(36),
  article_id INTEGER NOT NULL,  -- which has the product, and with it the family and the company
  purchase_date DATE NOT NULL,
  currency VARCHAR(3) NOT NULL,
  quantity DOUBLE NOT NULL,
  unit TEXT,
  unit_price DOUBLE NOT NULL,
  price_period VARCHAR(5) NOT NULL,  -- month, year, term or once
  term_months INTEGER,
  purchase_type VARCHAR(12),
  list_price DOUBLE,  -- of a unit, as unit_price
  order_id TEXT,
  buyer TEXT,
  -- {column: value}: a text, or a number. The same for every product, unlike the ids of its dimensions,
  -- so that purchases of different products compare; `product.dimension_source` leads from one to the
  -- other.
  attributes JSONB NOT NULL,
  packed BYTES,  -- what comparing needs (`pricing.packing`); null until it is packed
  CONSTRAINT pk_purchase PRIMARY KEY (id),
  CONSTRAINT fk_purchase_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_purchase_article_id FOREIGN KEY (article_id) REFERENCES article (id)
);
-- Every index costs each imported row a write at random: products and families are found by their
-- articles, whose ids are short.
CREATE INDEX ix_purchase_article_id_purchase_date_organisation_id
  ON purchase (article_id, purchase_date, organisation_id);
-- the latest, and those that a new day counts otherwise
CREATE INDEX ix_purchase_purchase_date_organisation_id ON purchase (purchase_date, organisation_id);
-- The purchases of organisations, few among many that everybody may know.
CREATE INDEX ix_purchase_own
  ON purchase (organisation_id, article_id, purchase_date) WHERE organisation_id IS NOT NULL;

-- The day for which the purchases of the past two years were last counted again: one row.
CREATE TABLE purchase_recount (
  counted_on DATE NOT NULL,
  CONSTRAINT pk_purchase_recount PRIMARY KEY (counted_on)
);

-- What kind of pricing dimension a column of purchase files becomes; decided once, kept over imports.
CREATE TABLE attribute_column (
  organisation_id VARCHAR(36) DEFAULT '' NOT NULL,  -- "": everybody's
  name TEXT NOT NULL,
  kind VARCHAR(8) NOT NULL,  -- number, select, or none: kept, but no dimension
  reason TEXT,  -- why it is none
  CONSTRAINT pk_attribute_column PRIMARY KEY (organisation_id, name)
);

-- What suppliers publish as their prices, from price lists of an organisation: never another's.
CREATE TABLE list_price (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  scope_id VARCHAR(36) NOT NULL,  -- the one read from the price list
  line INTEGER NOT NULL,  -- of the price list, from 0
  product_id VARCHAR(36) NOT NULL,
  listed_on DATE NOT NULL,
  currency VARCHAR(3) NOT NULL,
  unit TEXT,
  unit_price DOUBLE NOT NULL,  -- before tax
  price_period VARCHAR(9) NOT NULL,
  from_quantity DOUBLE,
  to_quantity DOUBLE,
  attributes JSONB NOT NULL,  -- the options that the price is for
  CONSTRAINT pk_list_price PRIMARY KEY (id),
  CONSTRAINT uq_list_price_scope_id_line UNIQUE (scope_id, line),
  CONSTRAINT fk_list_price_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_list_price_product_id FOREIGN KEY (product_id) REFERENCES product (id),
  CONSTRAINT fk_list_price_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id)
);
CREATE INDEX ix_list_price_organisation_id_product_id_listed_on
  ON list_price (organisation_id, product_id, listed_on);

-- What suppliers asked of an organisation in quotes that it confirmed: evidence apart from what was paid,
-- and never another organisation's.
CREATE TABLE quoted_price (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  scope_id VARCHAR(36) NOT NULL,  -- the scope that was confirmed
  line INTEGER NOT NULL,  -- of the quote, from 0
  product_id VARCHAR(36) NOT NULL,
  quoted_on DATE NOT NULL,
  currency VARCHAR(3) NOT NULL,
  quantity DOUBLE NOT NULL,
  term_months INTEGER,  -- null: paid once
  amount DOUBLE NOT NULL,  -- before tax, for the whole quantity and term
  pricing_dimensions JSONB NOT NULL,  -- as in a product term
  CONSTRAINT pk_quoted_price PRIMARY KEY (id),
  CONSTRAINT uq_quoted_price_scope_id_line UNIQUE (scope_id, line),
  CONSTRAINT fk_quoted_price_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_quoted_price_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id),
  CONSTRAINT fk_quoted_price_product_id FOREIGN KEY (product_id) REFERENCES product (id)
);
CREATE INDEX ix_quoted_price_organisation_id_product_id_quoted_on
  ON quoted_price (organisation_id, product_id, quoted_on);

-- === What the estimator has learnt, how good it was on the past, and the rates that it converts
-- with.

CREATE TABLE calibration (
  id VARCHAR(36) NOT NULL,
  made_at INSTANT NOT NULL,
  sample BOOLEAN DEFAULT FALSE NOT NULL,  -- learnt from invented data
  learnt TEXT NOT NULL,  -- `Calibration` as JSON
  backtest JSONB NOT NULL,  -- `BacktestFigures`; {} where not measured
  learnt_on INTEGER NOT NULL,  -- purchases
  learnt_until DATE,  -- the day of the latest; null where they were too few to learn from
  CONSTRAINT pk_calibration PRIMARY KEY (id)
);

-- On `day` one unit of `base` was worth `rate` units of `currency`, as an import says: where several do,
-- the one that was completed last counts. Empty unless rates are imported.
CREATE TABLE exchange_rate (
  organisation_id VARCHAR(36) NOT NULL,  -- whose; `visibility.EVERYBODY`: the deployment's
  base VARCHAR(3) NOT NULL,
  currency VARCHAR(3) NOT NULL,
  day DATE NOT NULL,
  import_id VARCHAR(36) NOT NULL,  -- of `data_import`; "" where the command brought it
  rate DOUBLE NOT NULL,
  imported_at INSTANT NOT NULL,
  CONSTRAINT pk_exchange_rate PRIMARY KEY (organisation_id, base, currency, day, import_id)
);
CREATE INDEX ix_exchange_rate_organisation_id_imported_at ON exchange_rate (organisation_id, imported_at);

-- === Imports from the browser or over HTTP, and the rows that each of them brought.

CREATE TABLE data_import (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  file_id VARCHAR(36) NOT NULL,
  kind VARCHAR(10),  -- `contract.imports.ImportKind`; null until it is recognised
  status VARCHAR(10) NOT NULL,  -- `contract.imports.ImportStatus`
  mapping JSONB NOT NULL,  -- {our field: the file's column}, as asked for
  ignored_columns JSONB NOT NULL,  -- the file's columns to leave out, as asked for
  base_currency VARCHAR(3),  -- of rates that name none, as asked for
  date_order VARCHAR(11),  -- `contract.imports.DateOrder`, as asked for
  answers JSONB,  -- {field of `contract.imports.NewImport`: what a person said of the file}
  preview JSON,  -- `contract.imports.ImportPreview`; null until the file is checked
  row_bytes BIGINT,  -- of text in the rows that it adds; null until the file is checked
  rows_done INTEGER DEFAULT 0 NOT NULL,
  result JSON,  -- `contract.imports.ImportResult`
  removal JSON,  -- `contract.imports.ImportRemoval`
  ends_as VARCHAR(10),  -- the status that follows undoing
  error TEXT,
  end_user JSONB,
  created_at INSTANT NOT NULL,
  updated_at INSTANT NOT NULL,
  completed_at INSTANT,  -- from which the time to undo it counts
  removed_at INSTANT,  -- when rows were last taken back
  CONSTRAINT pk_data_import PRIMARY KEY (id),
  CONSTRAINT fk_data_import_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_data_import_file_id FOREIGN KEY (file_id) REFERENCES file (id)
);
CREATE INDEX ix_data_import_organisation_id_created_at_id ON data_import (organisation_id, created_at, id);

-- A row that an import brought: by adding it, or by naming it again while the import that added it could
-- still be undone. Forgotten when the import can no longer be undone.
CREATE TABLE imported_row (
  import_id VARCHAR(36) NOT NULL,
  table_name VARCHAR(20) NOT NULL,
  row_id TEXT NOT NULL,
  added BOOLEAN NOT NULL,
  -- The values of a row that the import changed: {before: {column: value}, after: {…}}.
  changes JSONB,
  CONSTRAINT pk_imported_row PRIMARY KEY (import_id, table_name, row_id),
  CONSTRAINT fk_imported_row_import_id FOREIGN KEY (import_id) REFERENCES data_import (id)
) WITHOUT ROWID;
CREATE INDEX ix_imported_row_row_id_table_name ON imported_row (row_id, table_name);

-- === Negotiations: their state, everything that happened, what waits for a decision and when
-- to look again.

CREATE TABLE negotiation (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  status VARCHAR(10) NOT NULL,
  engagement_type VARCHAR(14) NOT NULL,
  contact_name TEXT NOT NULL,
  contact_email TEXT NOT NULL,
  supplier JSONB NOT NULL,  -- as it came, then as found in the catalog
  company_id VARCHAR(36),
  scope_id VARCHAR(36),
  scopes_tried JSONB NOT NULL,  -- ids of attached files that were read into a scope
  participants JSONB NOT NULL,
  metadata JSONB,
  strategy JSONB,  -- the three numbers with their reasons; null without an estimate
  levers JSONB NOT NULL,
  unavailable TEXT,  -- why there are no numbers
  coverage TEXT,  -- how much of the quote the estimate is for; null where it is all
  next_offer TEXT,  -- the buyer's counter offer: an exact decimal
  currency VARCHAR(3),
  agreement_id VARCHAR(36),  -- the agreement to renew; no foreign key: it refers to this one
  act_by DATE,  -- by when that must be decided
  agreement JSONB,  -- amount, signing and savings, final once agreed
  end_user JSONB,
  owners JSONB,  -- `contract.owners.Owner`
  sample BOOLEAN DEFAULT FALSE NOT NULL,
  created_at INSTANT NOT NULL,
  updated_at INSTANT NOT NULL,
  CONSTRAINT pk_negotiation PRIMARY KEY (id),
  CONSTRAINT fk_negotiation_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_negotiation_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id)
);
CREATE INDEX ix_negotiation_organisation_id_created_at_id ON negotiation (organisation_id, created_at, id);
CREATE INDEX ix_negotiation_agreement_id ON negotiation (agreement_id);
CREATE INDEX ix_negotiation_scope_id ON negotiation (scope_id);

CREATE TABLE negotiation_entry (
  id VARCHAR(36) NOT NULL,
  negotiation_id VARCHAR(36) NOT NULL,
  kind TEXT NOT NULL,  -- started planned quote message decision agreement note …
  happened_at INSTANT NOT NULL,
  recorded_at INSTANT NOT NULL,
  source TEXT,  -- with external_id of an external update, unique in its negotiation
  external_id TEXT,
  content_digest VARCHAR(64),
  content JSONB NOT NULL,
  numbers JSONB,  -- the three numbers in force when it was recorded
  end_user JSONB,
  CONSTRAINT pk_negotiation_entry PRIMARY KEY (id),
  CONSTRAINT uq_negotiation_entry_negotiation_id_source_external_id UNIQUE (negotiation_id, source, external_id),
  CONSTRAINT fk_negotiation_entry_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id)
);
CREATE INDEX ix_negotiation_entry_negotiation_id_happened_at_id
  ON negotiation_entry (negotiation_id, happened_at, id);

CREATE TABLE executive_summary (
  id VARCHAR(36) NOT NULL,
  negotiation_id VARCHAR(36) NOT NULL,
  created_at INSTANT NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  figures JSONB NOT NULL,
  CONSTRAINT pk_executive_summary PRIMARY KEY (id),
  CONSTRAINT fk_executive_summary_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id)
);
CREATE INDEX ix_executive_summary_negotiation_id_created_at_id
  ON executive_summary (negotiation_id, created_at, id);

CREATE TABLE escalation (
  id VARCHAR(36) NOT NULL,
  negotiation_id VARCHAR(36) NOT NULL,
  reason TEXT NOT NULL,
  status VARCHAR(8) NOT NULL,
  offer_entry_id VARCHAR(36),
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  options JSONB NOT NULL,
  recommended TEXT,
  created_at INSTANT NOT NULL,
  updated_at INSTANT NOT NULL,
  due_at INSTANT,
  resolved_at INSTANT,
  resolution TEXT,
  CONSTRAINT pk_escalation PRIMARY KEY (id),
  CONSTRAINT fk_escalation_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id)
);
CREATE INDEX ix_escalation_negotiation_id_created_at_id ON escalation (negotiation_id, created_at, id);
CREATE INDEX ix_escalation_negotiation_id_status ON escalation (negotiation_id, status);
CREATE INDEX ix_escalation_offer_entry_id ON escalation (offer_entry_id);

CREATE TABLE negotiation_attachment (
  id VARCHAR(36) NOT NULL,
  negotiation_id VARCHAR(36) NOT NULL,
  file_id VARCHAR(36) NOT NULL,
  created_at INSTANT NOT NULL,
  at_start BOOLEAN NOT NULL,  -- it came with the start, before any talks
  reading_status VARCHAR(10) NOT NULL,  -- pending completed failed
  CONSTRAINT pk_negotiation_attachment PRIMARY KEY (id),
  CONSTRAINT uq_negotiation_attachment_negotiation_id_file_id UNIQUE (negotiation_id, file_id),
  CONSTRAINT fk_negotiation_attachment_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id),
  CONSTRAINT fk_negotiation_attachment_file_id FOREIGN KEY (file_id) REFERENCES file (id)
);
CREATE INDEX ix_negotiation_attachment_negotiation_id ON negotiation_attachment (negotiation_id);

CREATE TABLE negotiation_timer (
  id VARCHAR(36) NOT NULL,
  negotiation_id VARCHAR(36) NOT NULL,
  kind TEXT NOT NULL,  -- supplier_silent quote_expiring plan
  due_at INSTANT NOT NULL,
  content JSONB NOT NULL,
  CONSTRAINT pk_negotiation_timer PRIMARY KEY (id),
  CONSTRAINT fk_negotiation_timer_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id)
);
CREATE INDEX ix_negotiation_timer_due_at ON negotiation_timer (due_at);
CREATE INDEX ix_negotiation_timer_negotiation_id ON negotiation_timer (negotiation_id);

-- === Agreements with suppliers, what was decided about them, feeds of their deadlines, and
-- working days.

CREATE TABLE agreement (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  name TEXT NOT NULL,
  company_id VARCHAR(36),
  supplier_name TEXT,
  search_text TEXT NOT NULL,  -- folded name and supplier
  identity_key VARCHAR(32),  -- `agreements.identity`
  -- What its dates follow from: `agreements.dates.occurrences.AgreementTerms`.
  term_start DATE,
  term_end DATE,
  renewal_type VARCHAR(10),
  auto_renewal_term_months INTEGER,
  max_renewals INTEGER,
  max_extent_date DATE,
  notice_value INTEGER,
  notice_unit VARCHAR(12),
  notice_to VARCHAR(8),
  delivery_buffer_days INTEGER,
  notice_given_on DATE,
  options_exercised INTEGER DEFAULT 0 NOT NULL,
  next_start DATE,  -- when the agreement begins that follows this one
  -- The latest decision, which holds for the term that it was taken in.
  decision VARCHAR(11),
  decided_on DATE,
  put_off_until DATE,
  -- Where it stands, and from and until which day: `agreements.stored_positions`. Computed where they do
  -- not hold, as those of a new row.
  status VARCHAR(16) DEFAULT 'unknown' NOT NULL,
  stage VARCHAR(14) DEFAULT 'not_started' NOT NULL,
  past BOOLEAN DEFAULT FALSE NOT NULL,
  order_day DATE DEFAULT '9999-12-31' NOT NULL,
  position_from DATE DEFAULT '9999-12-31' NOT NULL,
  position_until DATE DEFAULT '0001-01-01' NOT NULL,
  -- Whether its purchases are up to date with its lines and with what else is on record.
  learned BOOLEAN DEFAULT FALSE NOT NULL,
  -- How often purchases or rates have changed that its price today follows from.
  price_changes INTEGER DEFAULT 0 NOT NULL,
  -- What is paid, and who looks after it.
  currency VARCHAR(3),
  total_value DOUBLE,
  one_time_value DOUBLE,  -- as stated, else as its lines say: `agreements.line_amounts`
  priced_by_part BOOLEAN DEFAULT FALSE NOT NULL,  -- of the first term
  owners JSONB,
  cost_center TEXT,
  content JSONB NOT NULL,  -- the other fields of `contract.agreements.NewAgreement`
  missing JSONB NOT NULL,  -- names of fields, on the wire
  evidence JSONB NOT NULL,  -- {field on the wire: `contract.agreements.FieldEvidence`}
  scope_id VARCHAR(36),
  negotiation_id VARCHAR(36),
  file_id VARCHAR(36),
  previous_agreement_id VARCHAR(36),
  next_agreement_id VARCHAR(36),  -- no foreign key: it comes later
  end_user JSONB,
  sample BOOLEAN DEFAULT FALSE NOT NULL,
  created_at INSTANT NOT NULL,
  updated_at INSTANT NOT NULL,
  CONSTRAINT pk_agreement PRIMARY KEY (id),
  CONSTRAINT uq_agreement_negotiation_id UNIQUE (negotiation_id),
  CONSTRAINT fk_agreement_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_agreement_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id),
  CONSTRAINT fk_agreement_negotiation_id FOREIGN KEY (negotiation_id) REFERENCES negotiation (id),
  CONSTRAINT fk_agreement_file_id FOREIGN KEY (file_id) REFERENCES file (id),
  CONSTRAINT fk_agreement_previous_agreement_id FOREIGN KEY (previous_agreement_id) REFERENCES agreement (id)
);
CREATE INDEX ix_agreement_organisation_id_id ON agreement (organisation_id, id);
-- Lists are sorted, counted and found outdated in it alone.
CREATE INDEX ix_agreement_position
  ON agreement (organisation_id, past, order_day, id, status, stage, position_from, position_until);
CREATE INDEX ix_agreement_organisation_id_identity_key ON agreement (organisation_id, identity_key);
CREATE INDEX ix_agreement_file_id ON agreement (file_id);
CREATE INDEX ix_agreement_previous_agreement_id ON agreement (previous_agreement_id);
CREATE INDEX ix_agreement_scope_id ON agreement (scope_id);

CREATE TABLE agreement_decision (
  id VARCHAR(36) NOT NULL,
  agreement_id VARCHAR(36) NOT NULL,
  decision VARCHAR(11) NOT NULL,
  note TEXT,
  notice_given_on DATE,
  term_end DATE,  -- of the term that it was taken in
  decided_by TEXT,
  decided_at INSTANT NOT NULL,
  CONSTRAINT pk_agreement_decision PRIMARY KEY (id),
  CONSTRAINT fk_agreement_decision_agreement_id FOREIGN KEY (agreement_id) REFERENCES agreement (id)
);
CREATE INDEX ix_agreement_decision_agreement_id_decided_at_id
  ON agreement_decision (agreement_id, decided_at, id);

-- An event that was sent about an agreement: each is sent once.
CREATE TABLE agreement_alert (
  agreement_id VARCHAR(36) NOT NULL,
  name VARCHAR(60) NOT NULL,  -- the event with its day: `agreements.alerts`
  sent_at INSTANT NOT NULL,
  CONSTRAINT pk_agreement_alert PRIMARY KEY (agreement_id, name),
  CONSTRAINT fk_agreement_alert_agreement_id FOREIGN KEY (agreement_id) REFERENCES agreement (id)
);

-- Whether the owners of agreements get mail about their deadlines; without a row they do.
CREATE TABLE deadline_mail (
  organisation_id VARCHAR(36) NOT NULL,
  enabled BOOLEAN NOT NULL,
  CONSTRAINT pk_deadline_mail PRIMARY KEY (organisation_id),
  CONSTRAINT fk_deadline_mail_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

-- What became of a line as a purchase. No foreign keys: rows of an agreement or purchase that is gone say
-- what is to be taken back, or made again.
CREATE TABLE agreement_purchase (
  agreement_id VARCHAR(36) NOT NULL,
  line INTEGER NOT NULL,  -- from 0
  organisation_id VARCHAR(36) NOT NULL,
  product_id VARCHAR(36),
  purchase_id PURCHASE,
  own BOOLEAN NOT NULL,  -- whether the purchase was made of this line
  reason TEXT,  -- why there is no purchase
  alike JSONB NOT NULL,  -- ids of purchases that may be the same
  CONSTRAINT pk_agreement_purchase PRIMARY KEY (agreement_id, line),
  CONSTRAINT fk_agreement_purchase_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_agreement_purchase_organisation_id_product_id
  ON agreement_purchase (organisation_id, product_id);
CREATE INDEX ix_agreement_purchase_purchase_id ON agreement_purchase (purchase_id);

-- Whether a purchase is that of a line, where a person has decided it: `agreements.learning`.
CREATE TABLE same_purchase (
  agreement_id VARCHAR(36) NOT NULL,
  line INTEGER NOT NULL,  -- from 0
  purchase_id PURCHASE NOT NULL,  -- no foreign key: it may be taken back
  same BOOLEAN NOT NULL,
  decided_by TEXT,
  decided_at INSTANT NOT NULL,
  CONSTRAINT pk_same_purchase PRIMARY KEY (agreement_id, line, purchase_id),
  CONSTRAINT fk_same_purchase_agreement_id FOREIGN KEY (agreement_id) REFERENCES agreement (id)
);

-- What an agreement should cost today: `agreements.market`. Absent until it was computed.
CREATE TABLE agreement_market (
  agreement_id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  currency VARCHAR(3),
  amount DOUBLE NOT NULL,
  saving DOUBLE NOT NULL,
  rank DOUBLE NOT NULL,  -- the smallest first
  content JSONB NOT NULL,  -- the rest of `contract.agreement_market.AgreementMarket`
  priced_at INSTANT NOT NULL,
  price_changes INTEGER DEFAULT 0 NOT NULL,  -- as of then
  CONSTRAINT pk_agreement_market PRIMARY KEY (agreement_id),
  CONSTRAINT fk_agreement_market_agreement_id FOREIGN KEY (agreement_id) REFERENCES agreement (id) ON DELETE CASCADE
);
CREATE INDEX ix_agreement_market_organisation_id_rank_agreement_id
  ON agreement_market (organisation_id, rank, agreement_id);

CREATE TABLE calendar_feed (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  token_hash VARCHAR(64) NOT NULL,  -- SHA-256; the token is shown once
  created_at INSTANT NOT NULL,
  -- With whose access it ends: a person or key; null of one that a version before 302 made.
  maker_kind VARCHAR(6),
  maker_id VARCHAR(36),
  used_at INSTANT,  -- to the hour
  CONSTRAINT pk_calendar_feed PRIMARY KEY (id),
  CONSTRAINT uq_calendar_feed_token_hash UNIQUE (token_hash),
  CONSTRAINT fk_calendar_feed_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_calendar_feed_organisation_id_created_at_id
  ON calendar_feed (organisation_id, created_at, id);

CREATE TABLE working_days (
  organisation_id VARCHAR(36) NOT NULL,
  days_off JSONB NOT NULL,  -- as `contract.agreements.WorkingDays`
  CONSTRAINT pk_working_days PRIMARY KEY (organisation_id),
  CONSTRAINT fk_working_days_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

-- === Requirements, the quotes that answer them, and scenarios of awards.

CREATE TABLE requirement (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  name TEXT NOT NULL,
  content JSON NOT NULL,  -- the other fields of `contract.sourcing.Requirement`
  created_at INSTANT NOT NULL,
  updated_at INSTANT NOT NULL,
  sample BOOLEAN DEFAULT FALSE NOT NULL,
  CONSTRAINT pk_requirement PRIMARY KEY (id),
  CONSTRAINT fk_requirement_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_requirement_organisation_id_id ON requirement (organisation_id, id);

CREATE TABLE sourcing_quote (
  id VARCHAR(36) NOT NULL,
  requirement_id VARCHAR(36) NOT NULL,
  scope_id VARCHAR(36),
  content JSON NOT NULL,  -- the other fields of `contract.sourcing.SourcingQuote`
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_sourcing_quote PRIMARY KEY (id),
  CONSTRAINT fk_sourcing_quote_requirement_id FOREIGN KEY (requirement_id) REFERENCES requirement (id),
  CONSTRAINT fk_sourcing_quote_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id)
);
CREATE INDEX ix_sourcing_quote_requirement_id_id ON sourcing_quote (requirement_id, id);
CREATE INDEX ix_sourcing_quote_scope_id ON sourcing_quote (scope_id);

-- Decisions on alignment, for the next quote of the same supplier with the same wording.
CREATE TABLE remembered_alignment (
  organisation_id VARCHAR(36) NOT NULL,
  -- Digests of the supplier's name, of what the line of the quote says, and of what is needed.
  supplier_key VARCHAR(32) NOT NULL,
  wording_key VARCHAR(32) NOT NULL,
  need_key VARCHAR(32) NOT NULL,
  alternate BOOLEAN NOT NULL,
  quote_id VARCHAR(36) NOT NULL,
  decided_by TEXT NOT NULL,
  decided_at INSTANT NOT NULL,
  CONSTRAINT pk_remembered_alignment PRIMARY KEY (organisation_id, supplier_key, wording_key, need_key),
  CONSTRAINT fk_remembered_alignment_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_remembered_alignment_quote_id FOREIGN KEY (quote_id) REFERENCES sourcing_quote (id)
);
CREATE INDEX ix_remembered_alignment_quote_id ON remembered_alignment (quote_id);

CREATE TABLE scenario (
  id VARCHAR(36) NOT NULL,
  requirement_id VARCHAR(36) NOT NULL,
  content JSON NOT NULL,  -- the other fields of `contract.sourcing.Scenario`
  basis JSON,  -- a `scenario_basis.Basis`; null where it was solved before there was one
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_scenario PRIMARY KEY (id),
  CONSTRAINT fk_scenario_requirement_id FOREIGN KEY (requirement_id) REFERENCES requirement (id)
);
CREATE INDEX ix_scenario_requirement_id_id ON scenario (requirement_id, id);

-- === Whom organisations ask for a second opinion on documents, how often they did, and
-- what was asked.

CREATE TABLE second_opinion_settings (
  organisation_id VARCHAR(36) NOT NULL,
  enabled BOOLEAN NOT NULL,
  address TEXT,
  model TEXT,
  key BYTES,  -- encrypted
  calls_per_day INTEGER NOT NULL,
  updated_at INSTANT NOT NULL,
  CONSTRAINT pk_second_opinion_settings PRIMARY KEY (organisation_id),
  CONSTRAINT fk_second_opinion_settings_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

CREATE TABLE second_opinion_usage (
  organisation_id VARCHAR(36) NOT NULL,
  day DATE NOT NULL,
  calls INTEGER NOT NULL,
  CONSTRAINT pk_second_opinion_usage PRIMARY KEY (organisation_id, day),
  CONSTRAINT fk_second_opinion_usage_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

CREATE TABLE second_opinion (
  scope_id VARCHAR(36) NOT NULL,
  status VARCHAR(9) NOT NULL,  -- asked answered failed not_asked
  address TEXT NOT NULL,
  model TEXT NOT NULL,
  digest VARCHAR(64) NOT NULL,  -- of what was sent, and to whom
  attempts INTEGER NOT NULL,
  asked_at INSTANT,
  asked_about JSONB NOT NULL,  -- names of sums, and `lines`
  page_numbers JSONB NOT NULL,
  word_count INTEGER NOT NULL,
  named JSONB,  -- `documents.second_opinion.question.NamedWords`
  sentences JSONB NOT NULL,
  CONSTRAINT pk_second_opinion PRIMARY KEY (scope_id),
  CONSTRAINT fk_second_opinion_scope_id FOREIGN KEY (scope_id) REFERENCES scope (id)
);

-- === Comments on scopes, negotiations and agreements.

CREATE TABLE comment (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  object_kind VARCHAR(11) NOT NULL,  -- scope, negotiation or agreement
  object_id VARCHAR(36) NOT NULL,  -- no foreign key: it is of three kinds
  author_kind VARCHAR(6) NOT NULL,  -- person or key
  author_id VARCHAR(36) NOT NULL,
  author_name TEXT NOT NULL,  -- at that time
  on_behalf_of TEXT,  -- the end user that the call named
  text TEXT NOT NULL,  -- empty once deleted
  named JSONB,  -- whom it names: [{name, email}]
  created_at INSTANT NOT NULL,
  deleted_at INSTANT,
  CONSTRAINT pk_comment PRIMARY KEY (id),
  CONSTRAINT fk_comment_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_comment_organisation_id_object_id_created_at_id
  ON comment (organisation_id, object_id, created_at, id);

-- === Letters that are sent by mail.

-- To a supplier it is written at once, to a colleague when it is sent: `background.mail_queue`.
CREATE TABLE letter (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  kind VARCHAR(8) NOT NULL,  -- supplier, deadline or naming
  object_kind VARCHAR(11) NOT NULL,  -- scope, negotiation, agreement or approval
  object_id VARCHAR(36) NOT NULL,
  reason VARCHAR(60),  -- to a supplier the template, about a deadline its `agreement_alert`
  comment_id VARCHAR(36),  -- of who is named in it; null for who was made an owner
  named_by TEXT,
  recipient_name TEXT,
  subject TEXT,
  body TEXT,
  status VARCHAR(8) NOT NULL,  -- draft queued sending sent failed outdated
  recipient TEXT,
  attempts INTEGER NOT NULL,
  error TEXT,
  next_at INSTANT,  -- when to send; null when there is nothing to send
  created_at INSTANT NOT NULL,
  sent_at INSTANT,
  CONSTRAINT pk_letter PRIMARY KEY (id),
  CONSTRAINT fk_letter_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_letter_organisation_id_created_at ON letter (organisation_id, created_at);
CREATE INDEX ix_letter_next_at ON letter (next_at);
CREATE INDEX ix_letter_object_id ON letter (object_id);

-- === What an organisation asks two persons for, and the calls that wait for the second.

CREATE TABLE approval_rules (
  organisation_id VARCHAR(36) NOT NULL,
  awards BOOLEAN NOT NULL,
  webhooks BOOLEAN NOT NULL,
  prices_above TEXT,  -- an amount; null: no price is asked for
  currency VARCHAR(3) NOT NULL,  -- of the amount
  updated_at INSTANT NOT NULL,
  CONSTRAINT pk_approval_rules PRIMARY KEY (organisation_id),
  CONSTRAINT fk_approval_rules_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);

-- A call that was found valid, and is carried out when another person approves it.
CREATE TABLE approval (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  kind VARCHAR(8) NOT NULL,  -- award, price, webhook or rules
  operation VARCHAR(60) NOT NULL,  -- its id
  method VARCHAR(6) NOT NULL,
  path TEXT NOT NULL,
  body BYTES,  -- sealed; null once it is settled
  body_digest VARCHAR(64) NOT NULL,
  decision JSONB NOT NULL,  -- what it decides, as it was shown: `approvals.Decision`
  end_user JSONB,  -- whom the call claimed to be made for
  asked_kind VARCHAR(6) NOT NULL,  -- person or key
  asked_by VARCHAR(36) NOT NULL,
  asked_at INSTANT NOT NULL,
  expires_at INSTANT NOT NULL,
  status VARCHAR(8) NOT NULL,  -- waiting, approved or refused
  settled_kind VARCHAR(6),
  settled_by VARCHAR(36),
  settled_at INSTANT,
  reason TEXT,  -- why it was refused
  CONSTRAINT pk_approval PRIMARY KEY (id),
  CONSTRAINT fk_approval_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_approval_organisation_id_status_asked_at_id
  ON approval (organisation_id, status, asked_at, id);
CREATE INDEX ix_approval_expires_at ON approval (expires_at);

-- === What can be found by words. Rows of companies and products are kept by triggers on their
-- tables, those of an organisation's own records by `search_index.index_record`; all go with their record,
-- by triggers too.

CREATE TABLE search_entry (
  id COUNTER NOT NULL,
  kind VARCHAR(11) NOT NULL,  -- supplier product scope negotiation document
  -- Of a document the scope that it was read into, or its attachment to a negotiation.
  record_id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36),  -- null: everybody's
  title TEXT NOT NULL,  -- as it is shown
  detail TEXT NOT NULL,  -- what tells it from others of the same title
  name ORDERED NOT NULL,  -- the folded title
  text TEXT NOT NULL,  -- the folded words that it is found by
  negotiation_id VARCHAR(36),  -- the negotiation that a document is attached to
  created_at INSTANT,  -- of an organisation's own record
  -- Kind and owner in one word, so that the index of words finds only what somebody may see.
  place ORDERED GENERATED ALWAYS AS (kind || replace(coalesce(organisation_id, 'everybody'), '-', ''))
    STORED NOT NULL,
  CONSTRAINT pk_search_entry PRIMARY KEY (id),
  CONSTRAINT uq_search_entry_record_id_kind UNIQUE (record_id, kind),
  CONSTRAINT fk_search_entry_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_search_entry_place_name_record_id ON search_entry (place, name, record_id);

-- The words that are in so many articles that they tell little, as last counted (`word_search`).
CREATE TABLE common_word (
  word TEXT NOT NULL,
  articles INTEGER NOT NULL,
  CONSTRAINT pk_common_word PRIMARY KEY (word)
);

-- === Webhooks, the events they are told of, and every attempt to tell them. These rows are the
-- truth: what is owed stands here, in the transaction of the change that caused it.

CREATE TABLE webhook (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  url TEXT NOT NULL,
  events JSONB NOT NULL,
  secret BYTES NOT NULL,  -- encrypted
  enabled BOOLEAN NOT NULL,
  disabled_reason TEXT,
  failing_since INSTANT,  -- the first failure since the last success
  slow_until INSTANT,  -- asked to be left alone until then (429, Retry-After)
  -- The worker that sends to it (`worker.id`); what another one did is not recorded.
  worker_id VARCHAR(36),
  sample BOOLEAN DEFAULT FALSE NOT NULL,
  created_at INSTANT NOT NULL,
  deleted_at INSTANT,
  -- Earlier secrets, encrypted, each with the end of its own 24 hours; the oldest first.
  retired_secrets JSONB,
  CONSTRAINT pk_webhook PRIMARY KEY (id),
  CONSTRAINT fk_webhook_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_webhook_organisation_id ON webhook (organisation_id);

CREATE TABLE event (
  id VARCHAR(36) NOT NULL,
  organisation_id VARCHAR(36) NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,  -- the delivered body, byte for byte
  test BOOLEAN NOT NULL,
  created_at INSTANT NOT NULL,
  CONSTRAINT pk_event PRIMARY KEY (id),
  CONSTRAINT fk_event_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id)
);
CREATE INDEX ix_event_created_at ON event (created_at);

CREATE TABLE delivery (
  id VARCHAR(36) NOT NULL,
  webhook_id VARCHAR(36) NOT NULL,
  event_id VARCHAR(36) NOT NULL,
  status VARCHAR(10) NOT NULL,  -- pending delivering succeeded failed
  attempts INTEGER NOT NULL,
  step INTEGER NOT NULL,  -- where in the schedule; sending again starts it over
  -- How often the schedule was started over: what an older attempt comes to must not end the newer
  -- round.
  schedule_round INTEGER DEFAULT 0 NOT NULL,
  response_status INTEGER NOT NULL,
  next_at INSTANT,  -- when the next attempt is due; null when there is none
  last_attempt_at INSTANT,
  successful_at INSTANT,
  created_at INSTANT NOT NULL,
  updated_at INSTANT NOT NULL,
  CONSTRAINT pk_delivery PRIMARY KEY (id),
  CONSTRAINT uq_delivery_webhook_id_event_id UNIQUE (webhook_id, event_id),
  CONSTRAINT fk_delivery_webhook_id FOREIGN KEY (webhook_id) REFERENCES webhook (id),
  CONSTRAINT fk_delivery_event_id FOREIGN KEY (event_id) REFERENCES event (id)
);
CREATE INDEX ix_delivery_webhook_id_created_at_id ON delivery (webhook_id, created_at, id);
CREATE INDEX ix_delivery_due ON delivery (webhook_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX ix_delivery_event_id ON delivery (event_id);
CREATE INDEX ix_delivery_failed ON delivery (webhook_id) WHERE status = 'failed';

CREATE TABLE attempt (
  delivery_id VARCHAR(36) NOT NULL,
  number INTEGER NOT NULL,
  started_at INSTANT NOT NULL,
  duration_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL,  -- succeeded, or what went wrong, as one word
  detail TEXT,
  request_headers JSONB NOT NULL,
  response_status INTEGER NOT NULL,
  response_headers JSONB,
  response_body TEXT,  -- its first 16 KiB
  CONSTRAINT pk_attempt PRIMARY KEY (delivery_id, number),
  CONSTRAINT fk_attempt_delivery_id FOREIGN KEY (delivery_id) REFERENCES delivery (id)
) WITHOUT ROWID;

CREATE TABLE inbox_message (
  id VARCHAR(36) NOT NULL,
  webhook_id VARCHAR(36) NOT NULL,
  received_at INSTANT NOT NULL,
  headers JSONB NOT NULL,
  body TEXT NOT NULL,
  fault TEXT,  -- what is wrong with its signature; null when it holds
  CONSTRAINT pk_inbox_message PRIMARY KEY (id),
  CONSTRAINT fk_inbox_message_webhook_id FOREIGN KEY (webhook_id) REFERENCES webhook (id)
);
CREATE INDEX ix_inbox_message_webhook_id_id ON inbox_message (webhook_id, id);

-- === How far the sample data of an organisation is. Its records are marked `sample` in their own
-- tables.

CREATE TABLE sample_story (
  organisation_id VARCHAR(36) NOT NULL,
  status VARCHAR(8) NOT NULL,  -- started, complete or removed
  -- The key that the story is made with, from when on its dates count, and when it was last begun or
  -- resumed; null where there was none, and the sample catalog alone was removed.
  api_key_id VARCHAR(36),
  started_at INSTANT,
  resumed_at INSTANT,
  CONSTRAINT pk_sample_story PRIMARY KEY (organisation_id),
  CONSTRAINT fk_sample_story_organisation_id FOREIGN KEY (organisation_id) REFERENCES organisation (id),
  CONSTRAINT fk_sample_story_api_key_id FOREIGN KEY (api_key_id) REFERENCES api_key (id)
);
