// Shows services as /ws tells of them. Whatever comes from the server is put on the page as text, never as HTML.

const API = '/api/v1';
const MAX_LINES = 2_000;
const SPARK = { width: 96, height: 22 };
const METRICS_EVERY_MS = 30_000;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000];

const element = (id) => document.getElementById(id);
const rows = new Map();
/** The last number of each channel: a new connection goes on behind it. */
const positions = new Map();

let key = null;
let socket = null;
let failures = 0;
let followed = null;
let hasMetrics = true;

element('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  key = element('key').value.trim();
  element('key').value = '';
  if (socket?.readyState === WebSocket.OPEN) send({ type: 'auth', token: key });
  else connect();
});

setInterval(readMetrics, METRICS_EVERY_MS);
connect();

function connect() {
  say('connecting');
  const address = new URL('/ws', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const opened = new WebSocket(address);
  socket = opened;
  opened.addEventListener('open', () => {
    if (key) send({ type: 'auth', token: key });
    // A browser that is signed in is greeted at once.
    else setTimeout(() => element('state').textContent === 'connecting' && askForKey(), 300);
  });
  opened.addEventListener('message', ({ data }) => hear(JSON.parse(data)));
  opened.addEventListener('close', ({ code }) => {
    if (socket === opened) lost(code);
  });
}

function lost(code) {
  socket = null;
  if ([4401, 4403, 4404].includes(code)) {
    key = null;
    askForKey(code === 4401 ? 'not signed in' : 'this credential may not watch anything');
    return;
  }
  const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
  failures += 1;
  say(`connection lost, retrying in ${wait / 1000} s`);
  setTimeout(connect, wait);
}

function askForKey(text = 'not signed in') {
  say(text);
  element('sign-in').hidden = false;
  element('key').focus();
}

function send(message) {
  socket.send(JSON.stringify({ v: 1, ...message }));
}

function subscribe(channel) {
  send({ type: 'subscribe', channel, since: positions.get(channel) ?? null, tail: 200 });
}

function hear({ type, channel, seq, data, ts }) {
  if (channel && seq) positions.set(channel, seq);
  switch (type) {
    case 'hello':
      return begin(data);
    case 'subscribed':
      if (channel === 'services') void readServices();
      return;
    case 'service.status':
      return show(data.serviceId, { status: data.status });
    case 'service.health':
      return show(data.serviceId, { health: data.status });
    case 'service.metrics':
      return show(data.serviceId, { cpu: data.cpuPct, ram: data.ramPct });
    case 'service.removed':
      rows.get(data.serviceId)?.row.remove();
      rows.delete(data.serviceId);
      return tellWhetherEmpty();
    case 'service.log':
      return addLine(`${ts.slice(11, 23)} ${data.container} | ${data.line}`, data.stream);
    case 'service.log.gap':
      return addLine(`… ${data.dropped ?? 'some'} lines are missing (${data.reason})`, 'gap');
    case 'unsubscribed':
      if (channel?.endsWith(':logs') && data.reason !== 'asked') addLine(`… no longer followed: ${data.reason}`, 'gap');
      return;
    case 'error':
      return channel?.endsWith(':logs') ? addLine(`… ${data.message}`, 'gap') : say(data.message);
  }
}

function begin({ user, role }) {
  failures = 0;
  element('sign-in').hidden = true;
  say(`${user.email}, ${role}`);
  subscribe('services');
  if (followed) subscribe(`service:${followed}:logs`);
}

/** The state of now; what happens from here on is told by the subscription, which is older. */
async function readServices() {
  const found = (await ask('/services?pageSize=100')) ?? (await ask('/portal/services?pageSize=100'));
  for (const { id, name, status } of found?.data ?? []) show(id, { name, status });
  tellWhetherEmpty();
  await readMetrics();
}

async function readMetrics() {
  if (!hasMetrics || rows.size === 0 || !socket) return;
  const found = await ask('/services/metrics/summary');
  // A panel that measures nothing shows no figures.
  if (!found?.summaries) return void (hasMetrics = false);
  for (const [id, { cpuPct, ramPct, cpuSpark, ramSpark }] of Object.entries(found.summaries)) {
    if (rows.has(id)) show(id, { cpu: cpuPct, ram: ramPct, cpuSpark, ramSpark });
  }
}

async function ask(path) {
  const answer = await fetch(`${API}${path}`, { headers: key ? { authorization: `Bearer ${key}` } : {} });
  return answer.ok ? answer.json() : null;
}

function show(id, { name, status, health, cpu, ram, cpuSpark, ramSpark }) {
  const known = rows.get(id) ?? addRow(id);
  if (name !== undefined) known.name.textContent = name;
  if (status !== undefined) setWord(known.status, status);
  if (health !== undefined) setWord(known.health, health);
  if (cpu !== undefined) known.cpu.figure.textContent = percent(cpu);
  if (ram !== undefined) known.ram.figure.textContent = percent(ram);
  if (cpuSpark) draw(known.cpu.line, cpuSpark);
  if (ramSpark) draw(known.ram.line, ramSpark);
}

function addRow(id) {
  const row = document.createElement('tr');
  row.dataset.service = id;
  const cells = Array.from({ length: 5 }, () => row.insertCell());
  const name = document.createElement('button');
  name.textContent = id;
  cells[0].append(name);
  const known = { row, name, status: cells[1], health: cells[2], cpu: gauge(cells[3]), ram: gauge(cells[4]) };
  row.addEventListener('click', () => follow(id));
  element('services').append(row);
  rows.set(id, known);
  tellWhetherEmpty();
  return known;
}

function gauge(cell) {
  const figure = document.createElement('span');
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${SPARK.width} ${SPARK.height}`);
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
  svg.append(line);
  cell.append(svg, ' ', figure);
  return { figure, line };
}

/** Of 0 to 100, as high as the picture; a service that does little still shows its shape. */
function draw(line, values) {
  const highest = Math.max(10, ...values);
  const step = SPARK.width / Math.max(1, values.length - 1);
  const points = values.map((value, index) => [
    index * step,
    SPARK.height - 1 - (value / highest) * (SPARK.height - 2),
  ]);
  line.setAttribute('points', points.map((point) => point.map((one) => one.toFixed(1)).join()).join(' '));
}

function follow(id) {
  if (followed) {
    send({ type: 'unsubscribe', channel: `service:${followed}:logs` });
    positions.delete(`service:${followed}:logs`);
    rows.get(followed)?.row.removeAttribute('aria-selected');
  }
  followed = id;
  rows.get(id).row.setAttribute('aria-selected', 'true');
  element('log').hidden = false;
  element('log-title').textContent = `Log of ${rows.get(id).name.textContent}`;
  element('lines').replaceChildren();
  subscribe(`service:${id}:logs`);
}

function addLine(text, kind) {
  const lines = element('lines');
  const isAtEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
  const line = document.createElement('p');
  line.className = kind;
  line.textContent = text;
  lines.append(line);
  while (lines.childElementCount > MAX_LINES) lines.firstElementChild.remove();
  if (isAtEnd) lines.scrollTop = lines.scrollHeight;
}

function setWord(cell, word) {
  cell.textContent = word;
  cell.dataset.status = word;
}

function percent(value) {
  return value === null ? '' : `${value.toFixed(1)} %`;
}

function tellWhetherEmpty() {
  element('nothing').hidden = rows.size > 0;
}

function say(text) {
  element('state').textContent = text;
}
