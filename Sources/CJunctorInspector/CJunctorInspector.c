#include "CJunctorInspector.h"

#if defined(JUNCTOR_INSPECTOR)

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Bounds. A stream costs its connection (16 KiB) and at most one message; the messages themselves are shared.
enum {
  MESSAGES = 256,
  STREAMS = 256,
  CONNECTIONS = 320,
  CONNECTION_MEMORY = 16 * 1024,
  IDLE_SECONDS = 20,
  FRESH_TICKS = 2,
  QUIET_TICKS = 20,
};

typedef struct bytes {
  char *start;
  size_t length;
} bytes;

struct junctor_server {
  struct MHD_Daemon *daemon;
  pthread_mutex_t lock;
  char *token;
  char *policy;
  bytes page;
  bytes documents[JUNCTOR_DOCUMENTS];
  uint64_t published[JUNCTOR_DOCUMENTS];
  // Messages are numbered from 1; number n lies at n % MESSAGES.
  bytes messages[MESSAGES];
  uint64_t last;
  uint64_t tick;
  // Connections that are suspended; each is in here once.
  struct MHD_Connection *waiting[CONNECTIONS];
  uint32_t waiting_count;
  uint32_t streams;
  uint64_t refused;
  uint64_t missed;
  uint16_t port;
  bool wanted;
  bool stopping;
};

typedef struct stream {
  junctor_server *server;
  struct MHD_Connection *connection;
  uint64_t seen;
  uint64_t spoke;
  bytes pending;
  size_t sent;
} stream;

static bytes copy(const void *start, size_t length) {
  bytes result = {malloc(length ? length : 1), length};
  if (!result.start) { abort(); }
  if (length) { memcpy(result.start, start, length); }
  return result;
}

// The time that it takes depends on the length of what the client sent, not on how much of it is right.
static bool is_token(const char *expected, const char *given) {
  size_t length = strlen(expected), count = strlen(given);
  unsigned char difference = (unsigned char)(length != count);
  for (size_t i = 0; i < count; i++) {
    difference |= (unsigned char)(expected[length ? i % length : 0] ^ given[i]);
  }
  return difference == 0;
}

// Suspends a connection until the next tick. With the lock held.
static bool wait_for_tick(junctor_server *server, struct MHD_Connection *connection) {
  if (server->stopping || server->waiting_count == CONNECTIONS) { return false; }
  server->waiting[server->waiting_count++] = connection;
  MHD_suspend_connection(connection);
  return true;
}

// With the lock held.
static void resume_all(junctor_server *server) {
  for (uint32_t i = 0; i < server->waiting_count; i++) {
    MHD_resume_connection(server->waiting[i]);
  }
  server->waiting_count = 0;
}

static enum MHD_Result answer(
  junctor_server *server, struct MHD_Connection *connection, unsigned status, const char *type,
  struct MHD_Response *response
) {
  MHD_add_response_header(response, "Content-Type", type);
  MHD_add_response_header(response, "Content-Security-Policy", server->policy);
  MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
  MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
  MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
  MHD_add_response_header(response, "Cache-Control", "no-store");
  if (status == 405) { MHD_add_response_header(response, "Allow", "GET"); }
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

static enum MHD_Result say(
  junctor_server *server, struct MHD_Connection *connection, unsigned status, const char *text
) {
  struct MHD_Response *response =
    MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);
  if (!response) { return MHD_NO; }
  return answer(server, connection, status, "text/plain; charset=utf-8", response);
}

// MARK: Streams

static void speak(stream *stream, const void *start, size_t length) {
  free(stream->pending.start);
  stream->pending = copy(start, length);
  stream->sent = 0;
  stream->spoke = stream->server->tick;
}

// Called by the server's one thread when the client can take more, so a slow client costs one message at most.
static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t room) {
  (void)position;
  stream *stream = context;
  junctor_server *server = stream->server;
  ssize_t result = 0;
  pthread_mutex_lock(&server->lock);
  if (stream->sent == stream->pending.length && !server->stopping) {
    uint64_t oldest = server->last > MESSAGES ? server->last - MESSAGES + 1 : 1;
    if (stream->seen + 1 < oldest) {
      uint64_t missed = oldest - 1 - stream->seen;
      char text[64];
      int length = snprintf(text, sizeof text, "event: missed\ndata: %llu\n\n", (unsigned long long)missed);
      server->missed += missed;
      stream->seen = oldest - 1;
      speak(stream, text, (size_t)length);
    } else if (stream->seen < server->last) {
      stream->seen++;
      bytes message = server->messages[stream->seen % MESSAGES];
      speak(stream, message.start, message.length);
    } else if (server->tick - stream->spoke >= QUIET_TICKS) {
      // Shows whether the client is still there.
      speak(stream, ":\n\n", 3);
    }
  }
  size_t left = stream->pending.length - stream->sent;
  if (server->stopping) {
    result = MHD_CONTENT_READER_END_OF_STREAM;
  } else if (left) {
    size_t count = left < room ? left : room;
    memcpy(buffer, stream->pending.start + stream->sent, count);
    stream->sent += count;
    result = (ssize_t)count;
  } else if (!wait_for_tick(server, stream->connection)) {
    result = MHD_CONTENT_READER_END_OF_STREAM;
  }
  pthread_mutex_unlock(&server->lock);
  return result;
}

static void free_stream(void *context) {
  stream *stream = context;
  pthread_mutex_lock(&stream->server->lock);
  stream->server->streams--;
  pthread_mutex_unlock(&stream->server->lock);
  free(stream->pending.start);
  free(stream);
}

static enum MHD_Result open_stream(junctor_server *server, struct MHD_Connection *connection) {
  pthread_mutex_lock(&server->lock);
  bool refused = server->streams >= STREAMS || server->stopping;
  if (refused) {
    server->refused++;
  } else {
    server->streams++;
  }
  uint64_t seen = server->last;
  pthread_mutex_unlock(&server->lock);
  if (refused) { return say(server, connection, 503, "Too many streams are open. Close some.\n"); }
  stream *made = calloc(1, sizeof *made);
  if (!made) { abort(); }
  made->server = server;
  made->connection = connection;
  made->seen = seen;
  static const char greeting[] = "retry: 1000\nevent: hello\ndata: {}\n\n";
  made->pending = copy(greeting, sizeof greeting - 1);
  struct MHD_Response *response =
    MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_stream, made, free_stream);
  if (!response) {
    free_stream(made);
    return MHD_NO;
  }
  return answer(server, connection, 200, "text/event-stream", response);
}

// MARK: Requests

static enum MHD_Result send_document(
  junctor_server *server, struct MHD_Connection *connection, int which
) {
  struct MHD_Response *response = 0;
  bool waits = false;
  pthread_mutex_lock(&server->lock);
  bool fresh = server->published[which] && server->tick - server->published[which] <= FRESH_TICKS;
  if (!fresh) {
    server->wanted = true;
    waits = wait_for_tick(server, connection);
  } else {
    bytes document = server->documents[which];
    response = MHD_create_response_from_buffer(
      document.length, document.start, MHD_RESPMEM_MUST_COPY);
  }
  pthread_mutex_unlock(&server->lock);
  // After the tick the same request comes here again.
  if (waits) { return MHD_YES; }
  if (!response) { return say(server, connection, 503, "The inspector is busy or stopping. Try again.\n"); }
  return answer(server, connection, 200, "application/json; charset=utf-8", response);
}

static bool has_body(struct MHD_Connection *connection) {
  const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
  return (length && strcmp(length, "0") != 0) ||
         MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Transfer-Encoding");
}

static enum MHD_Result handle(
  void *context, struct MHD_Connection *connection, const char *path, const char *method,
  const char *version, const char *upload, size_t *upload_size, void **request
) {
  (void)version;
  (void)upload;
  junctor_server *server = context;
  if (strcmp(method, "GET") != 0) { return say(server, connection, 405, "Only GET is answered.\n"); }
  if (has_body(connection)) { return say(server, connection, 413, "A body is not taken.\n"); }
  if (!*request) {
    // The first call comes before the request is complete.
    *request = server;
    return MHD_YES;
  }
  *upload_size = 0;
  const char *token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
  if (!token || !is_token(server->token, token)) {
    return say(server, connection, 403, "The token is missing or wrong. Use the URL that the program printed.\n");
  }
  if (strcmp(path, "/") == 0) {
    struct MHD_Response *response = MHD_create_response_from_buffer(
      server->page.length, server->page.start, MHD_RESPMEM_PERSISTENT);
    if (!response) { return MHD_NO; }
    return answer(server, connection, 200, "text/html; charset=utf-8", response);
  }
  if (strcmp(path, "/wiring.json") == 0) { return send_document(server, connection, JUNCTOR_WIRING); }
  if (strcmp(path, "/state.json") == 0) { return send_document(server, connection, JUNCTOR_STATE); }
  if (strcmp(path, "/events") == 0) { return open_stream(server, connection); }
  return say(server, connection, 404, "There is no such page.\n");
}

// MARK: Life

static int listen_on(bool open, uint16_t *port, int *error) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) {
    *error = errno;
    return -1;
  }
  (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  int on = 1;
  (void)setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(*port);
  address.sin_addr.s_addr = htonl(open ? INADDR_ANY : INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(descriptor, (struct sockaddr *)&address, length) != 0 || listen(descriptor, 128) != 0 ||
      getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) {
    *error = errno;
    close(descriptor);
    return -1;
  }
  *port = ntohs(address.sin_port);
  return descriptor;
}

static void ignore_log(void *context, const char *format, va_list arguments) {
  (void)context;
  (void)format;
  (void)arguments;
}

static void free_server(junctor_server *server) {
  for (int i = 0; i < MESSAGES; i++) { free(server->messages[i].start); }
  for (int i = 0; i < JUNCTOR_DOCUMENTS; i++) { free(server->documents[i].start); }
  free(server->page.start);
  free(server->token);
  free(server->policy);
  pthread_mutex_destroy(&server->lock);
  free(server);
}

junctor_server *junctor_server_start(
  bool open, uint16_t port, const char *token, const char *page, size_t length, const char *policy,
  int *error
) {
  int descriptor = listen_on(open, &port, error);
  if (descriptor < 0) { return 0; }
  junctor_server *server = calloc(1, sizeof *server);
  if (!server) { abort(); }
  pthread_mutex_init(&server->lock, 0);
  server->token = strdup(token);
  server->policy = strdup(policy);
  if (!server->token || !server->policy) { abort(); }
  server->page = copy(page, length);
  server->port = port;
  server->tick = FRESH_TICKS + 1;
  // The logger comes first: it is in force from there on.
  server->daemon = MHD_start_daemon(
    MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, port, 0, 0, handle, server,
    MHD_OPTION_EXTERNAL_LOGGER, ignore_log, (void *)0, MHD_OPTION_LISTEN_SOCKET, descriptor,
    MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
    (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
    MHD_OPTION_END);
  if (!server->daemon) {
    *error = errno ? errno : EIO;
    close(descriptor);
    free_server(server);
    return 0;
  }
  return server;
}

uint16_t junctor_server_port(junctor_server *server) { return server->port; }

junctor_demand junctor_server_demand(junctor_server *server) {
  pthread_mutex_lock(&server->lock);
  junctor_demand demand = {
    .wanted = server->wanted,
    .streams = server->streams,
    .refused = server->refused,
    .missed = server->missed,
  };
  server->wanted = false;
  pthread_mutex_unlock(&server->lock);
  return demand;
}

void junctor_server_publish(
  junctor_server *server, int document, const uint8_t *start, size_t length
) {
  bytes fresh = copy(start, length);
  pthread_mutex_lock(&server->lock);
  bytes old = server->documents[document];
  server->documents[document] = fresh;
  server->published[document] = server->tick;
  pthread_mutex_unlock(&server->lock);
  free(old.start);
}

void junctor_server_freshen(junctor_server *server) {
  pthread_mutex_lock(&server->lock);
  for (int i = 0; i < JUNCTOR_DOCUMENTS; i++) {
    if (server->published[i]) { server->published[i] = server->tick; }
  }
  pthread_mutex_unlock(&server->lock);
}

void junctor_server_append(junctor_server *server, const uint8_t *start, size_t length) {
  bytes fresh = copy(start, length);
  pthread_mutex_lock(&server->lock);
  server->last++;
  bytes old = server->messages[server->last % MESSAGES];
  server->messages[server->last % MESSAGES] = fresh;
  pthread_mutex_unlock(&server->lock);
  free(old.start);
}

void junctor_server_tick(junctor_server *server) {
  pthread_mutex_lock(&server->lock);
  server->tick++;
  resume_all(server);
  pthread_mutex_unlock(&server->lock);
}

void junctor_server_stop(junctor_server *server) {
  pthread_mutex_lock(&server->lock);
  server->stopping = true;
  resume_all(server);
  pthread_mutex_unlock(&server->lock);
  MHD_stop_daemon(server->daemon);
  free_server(server);
}

#endif
