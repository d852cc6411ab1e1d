"""What passes through the proxy and how: heads, cookies, bodies of any kind and size, websockets."""

from __future__ import annotations

import asyncio
import io
import os
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.unit.agent.job.proxy.conftest import BASE, Make, World

TOKEN = {"Authorization": "token alices"}


async def raw(world: World, request: bytes) -> bytes:
    """Send bytes, and read whatever comes until the connection ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", world.port)
    writer.write(request)
    await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(-1), 10)
    finally:
        writer.close()


def request(path: str, *headers: str, minor: int = 1) -> bytes:
    return "\r\n".join([f"GET {BASE}{path} HTTP/1.{minor}", "Host: x", *headers, "", ""]).encode()


OWNER, LAST = "Authorization: token alices", "Connection: close"


async def test_the_app_sees_neither_the_portals_cookies_nor_a_token(make: Make) -> None:
    async with make(cookies=["own", "wiki-*"], user_cookie="username", user_header="X-Remote-User") as world:
        cookies = "jupyterhub-session-id=s; own=1; wiki-a=2; username=root; _xsrf=x; portal-app-1=t"
        headers = {"Cookie": cookies, "X-Remote-User": "root", "X_Remote_User": "root", "X-Other": "kept"}
        async with world.get(headers=headers) as answer:
            seen = (await answer.json())["headers"]
        names = [name.lower() for name, _ in seen]
        assert "authorization" not in names
        assert "x_remote_user" not in names
        assert ["Cookie", "own=1; wiki-a=2; username=alice"] in seen
        assert [value for name, value in seen if name.lower() == "x-remote-user"] == ["alice"]
        assert ["X-Other", "kept"] in seen


async def test_the_apps_cookies_are_confined_to_its_own_address(make: Make) -> None:
    async def serve(request: web.Request) -> web.Response:
        answer = web.Response()
        for cookie in (
            "username=bob; Path=/",
            "own=1; Path=/; Domain=portal.example; HttpOnly",
            "jupyterhub-session-id=evil; Path=/",
            f"deep=2; Path={BASE}deep",
        ):
            answer.headers.add("Set-Cookie", cookie)
        return answer

    async with make(serve, cookies=["own", "deep"], user_cookie="username") as world, world.get() as answer:
        assert answer.headers.getall("Set-Cookie") == [f"own=1; Path={BASE}; HttpOnly", f"deep=2; Path={BASE}deep"]


@pytest.mark.parametrize("name", ["Clear-Site-Data", "Service-Worker-Allowed", "Strict-Transport-Security", "Alt-Svc"])
async def test_the_app_changes_nothing_for_the_rest_of_the_host(make: Make, name: str) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(headers={name: "*"})

    async with make(serve) as world, world.get() as answer:
        assert name not in answer.headers


@pytest.mark.parametrize(
    ("strip", "value", "passed"),
    [
        (False, f"{BASE}next?a=1", f"{BASE}next?a=1"),
        (False, "http://{host}" + BASE, BASE),
        (False, "https://elsewhere.example/", "https://elsewhere.example/"),
        (True, "/next", f"{BASE}next"),
        (True, "http://{host}/next", f"{BASE}next"),
        (True, "next", "next"),
    ],
)
async def test_a_redirection_leads_where_the_app_means(make: Make, strip: bool, value: str, passed: str) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": value.replace("{host}", request.host)})

    async with make(serve, strip_prefix=strip) as world, world.get("here") as answer:
        assert (answer.status, answer.headers["Location"]) == (302, passed)


@pytest.mark.parametrize(("strip", "path"), [(False, f"{BASE}a%2Fb?c=%20d"), (True, "/a%2Fb?c=%20d")])
async def test_the_path_goes_whole_or_without_the_prefix(make: Make, strip: bool, path: str) -> None:
    async with make(strip_prefix=strip) as world:
        answer = await raw(world, request("a%2Fb?c=%20d", OWNER, LAST))
        assert f'"path": "{path}"'.encode() in answer
        prefix = [seen.headers.get("X-Forwarded-Prefix") for seen in world.seen]
        assert prefix == ([BASE.rstrip("/")] if strip else [None])


@pytest.mark.parametrize("chunked", [False, True])
async def test_a_large_body_goes_up_and_comes_down_unchanged(make: Make, chunked: bool) -> None:
    content = os.urandom(5_000_000)

    async def serve(request: web.Request) -> web.StreamResponse:
        got = await request.read()
        answer = web.StreamResponse()
        if chunked:
            answer.enable_chunked_encoding()
        else:
            answer.content_length = len(got)
        await answer.prepare(request)
        await answer.write(got)
        return answer

    async def pieces() -> Any:
        for start in range(0, len(content), 100_000):
            yield content[start : start + 100_000]

    async with make(serve) as world:
        data = pieces() if chunked else io.BytesIO(content)
        async with world.client.post(world.url, data=data, headers=TOKEN) as answer:
            assert await answer.read() == content


async def test_an_app_that_says_more_than_the_browser_takes_is_held_back(make: Make) -> None:
    said = 0

    async def serve(request: web.Request) -> web.StreamResponse:
        nonlocal said
        answer = web.StreamResponse()
        await answer.prepare(request)
        for _ in range(2_000):
            await answer.write(bytes(100_000))
            said += 100_000
        return answer

    async with make(serve) as world, world.get() as answer:
        await answer.content.readexactly(10)
        before = -1
        while before != said:  # until nothing more goes
            before = said
            await asyncio.sleep(0.3)
        assert said < 50_000_000
        total = 10
        async for piece in answer.content.iter_any():
            total += len(piece)
        assert total == 200_000_000


async def test_a_long_poll_is_waited_for(make: Make) -> None:
    go = asyncio.Event()

    async def serve(request: web.Request) -> web.Response:
        await go.wait()
        return web.Response(text="at last")

    async with make(serve) as world:
        asking = asyncio.ensure_future(world.get().__aenter__())
        while not world.seen:
            await asyncio.sleep(0.01)
        go.set()
        answer = await asking
        assert await answer.text() == "at last"


async def test_a_websocket_passes_both_ways_with_its_subprotocol(make: Make) -> None:
    async def serve(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(protocols=["chat.v2"], max_msg_size=0)
        await socket.prepare(request)
        async for message in socket:
            await (socket.send_bytes if message.type is aiohttp.WSMsgType.BINARY else socket.send_str)(message.data)
        return socket

    async with make(serve) as world:
        async with world.client.ws_connect(
            world.url + "socket", headers=TOKEN, protocols=["chat.v1", "chat.v2"], max_msg_size=0
        ) as socket:
            assert socket.protocol == "chat.v2"
            await socket.send_str("hello")
            assert (await socket.receive()).data == "hello"
            large = os.urandom(3_000_000)
            await socket.send_bytes(large)
            assert (await socket.receive()).data == large
        assert world.seen[0].headers["Upgrade"] == "websocket"
        assert "Authorization" not in world.seen[0].headers


@pytest.mark.parametrize(
    "head",
    [
        "POST {base} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
        "POST {base} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6",
        "POST {base} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked",
        "POST {base} HTTP/1.1\r\nHost: x\r\nContent-Length: +5",
        "GET {base} HTTP/1.1\r\nHost: x\r\n folded: y",
        "GET {base} HTTP/1.1\r\nHost: x\r\nBad Name: y",
        "GET {base} HTTP/1.1\r\nHost: x\r\nA: y\rB: z",
        "GET {base} HTTP/1.1\r\nHost: x\r\nHost: y",
        "GET http://x{base} HTTP/1.1\r\nHost: x",
        "GET {base} HTTP/2.0\r\nHost: x",
        "GET {base} HTTP/1.1\r\nHost: x\r\nA: y\nB: z",
        "GET {base} HTTP/1.1\r\nHost: x\r\nA: y\r\n\tfolded: z",
        "GET {base} HTTP/1.1\nHost: x",
        "GET {base} HTTP/1.1\r\nHost: x\r\nA : y",
        "GET {base} HTTP/1.1",
        "POST {base} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "POST {base} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked",
        "CONNECT {base} HTTP/1.1\r\nHost: x",
        "GET {base} HTTP/1.1\r\nHost: x\r\nA: " + "y" * 70_000,
    ],
)
async def test_what_two_programs_might_read_differently_is_refused(make: Make, head: str) -> None:
    async with make() as world:
        request = head.replace("{base}", BASE) + "\r\nAuthorization: token alices\r\n\r\n0\r\n\r\n"
        assert (await raw(world, request.encode())).startswith(b"HTTP/1.1 400 ")
        assert world.seen == []


@pytest.mark.parametrize(
    ("second", "status"), [((OWNER, LAST), 200), ((LAST,), 403), (("Authorization: token bobs", LAST), 403)]
)
async def test_each_request_of_a_connection_is_checked_by_itself(
    make: Make, second: tuple[str, ...], status: int
) -> None:
    async with make() as world:
        answer = await raw(world, request("one", OWNER) + request("two", *second))
        assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
        assert f"HTTP/1.1 {status} ".encode() in answer.partition(b"\r\n")[2]
        assert [seen.path for seen in world.seen] == [f"{BASE}one", f"{BASE}two"][: 1 + (status == 200)]


async def test_nothing_follows_what_was_refused_or_asked_to_be_the_last(make: Make) -> None:
    async with make() as world:
        for first in (request("one"), request("one", OWNER, LAST), request("one", OWNER, minor=0)):
            answer = await raw(world, first + request("two", OWNER))
            assert answer.count(b"HTTP/1.1 ") == 1
            assert b"Connection: close" in answer
        assert f"{BASE}two" not in [seen.path for seen in world.seen]


async def test_a_connection_to_the_app_serves_one_request_after_the_other(make: Make) -> None:
    async with make() as world:
        for _ in range(3):
            async with world.get() as answer:
                await answer.read()
        assert len({id(seen.transport) for seen in world.seen}) == 1


async def test_an_app_that_has_closed_a_kept_connection_is_asked_again_on_a_new_one(make: Make) -> None:
    async def serve(request: web.Request) -> web.Response:
        assert request.transport is not None
        if len(seen) % 2 == 0:  # it closes in the moment in which the next request comes
            request.transport.abort()
        seen.append(request.path)
        return web.Response(text="here")

    seen: list[str] = ["before"]
    async with make(serve) as world:
        for _ in range(3):
            async with world.get() as answer:
                assert (answer.status, await answer.text()) == (200, "here")
        assert len(seen) > 4


async def test_a_write_is_never_asked_twice(make: Make) -> None:
    async def serve(request: web.Request) -> web.Response:
        seen.append(request.method)
        assert request.transport is not None
        if request.method != "GET":
            request.transport.abort()
        return web.Response(text="here")

    seen: list[str] = []
    async with make(serve) as world:
        async with world.get() as answer:
            await answer.read()
        for method in ("DELETE", "POST"):
            async with world.client.request(method, world.url, headers=TOKEN) as answer:
                assert answer.status == 502
        assert seen == ["GET", "DELETE", "POST"]


async def test_an_upload_that_breaks_off_does_not_keep_the_app_waiting(make: Make) -> None:
    ended = asyncio.Event()

    async def serve(request: web.Request) -> web.Response:
        try:
            await request.read()
        finally:
            ended.set()
        return web.Response()

    async with make(serve) as world:
        _, writer = await asyncio.open_connection("127.0.0.1", world.port)
        writer.write(f"POST {BASE} HTTP/1.1\r\nHost: x\r\n{OWNER}\r\nContent-Length: 1000\r\n\r\nhalf".encode())
        await writer.drain()
        while not world.seen:
            await asyncio.sleep(0.01)
        writer.close()
        await asyncio.wait_for(ended.wait(), 10)


async def test_other_addresses_are_not_there_and_the_slash_is_added(make: Make) -> None:
    async with make() as world:
        root = f"http://127.0.0.1:{world.port}"
        for path, status in (("/", 404), ("/user/bob/x/", 404), (f"{BASE.rstrip('/')}", 302), ("/user/alice/xy", 404)):
            async with world.client.get(root + path, headers=TOKEN, allow_redirects=False) as answer:
                assert answer.status == status


async def test_an_app_that_has_gone_is_told_with_its_last_lines(make: Make) -> None:
    async def serve(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async with make(serve) as world, world.get() as answer:
        assert answer.status == 502
        assert "Out of &lt;b&gt;luck&lt;/b&gt;" in await answer.text()


async def test_a_body_that_is_cut_short_is_not_passed_off_as_whole(make: Make) -> None:
    async def serve(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(headers={"Content-Length": "1000"})
        await answer.prepare(request)
        await answer.write(b"half")
        assert request.transport is not None
        request.transport.close()
        return answer

    async with make(serve) as world, world.get() as answer:
        with pytest.raises(aiohttp.ClientPayloadError):
            await answer.read()


async def test_only_use_counts_as_activity(make: Make) -> None:
    async with make() as world:
        async with world.client.get(world.url) as answer:
            assert answer.status == 403
        assert world.proxy.last_used is None
        async with world.get() as answer:
            await answer.read()
        assert world.proxy.last_used is not None


def answering(*pieces: bytes) -> Any:
    """Make an app that answers with these bytes, whatever they are, and closes."""

    async def serve(request: web.Request) -> web.Response:
        assert request.transport is not None
        for piece in pieces:
            request.transport.write(piece)  # type: ignore[attr-defined]
        request.transport.close()
        await asyncio.sleep(10)
        return web.Response()

    return serve


@pytest.mark.parametrize(
    "head",
    [
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Content-Length: 5\r\nContent-Length: 6",
        "A: y\r\n folded: z",
        "A: y\nB: z",
        "A: " + "y" * 70_000,
    ],
)
async def test_an_answer_that_could_be_read_in_two_ways_is_not_passed_on(make: Make, head: str) -> None:
    async with make(answering(f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n0\r\n\r\n".encode())) as world, world.get() as answer:
        assert answer.status == 502


async def test_an_answer_that_ends_with_its_connection_leaves_the_browsers_open(make: Make) -> None:
    async with make(answering(b"HTTP/1.0 200 OK\r\n\r\nto ", b"the end")) as world:
        text = await raw(world, request("one", OWNER) + request("two", OWNER, LAST))
        assert text.count(b"HTTP/1.1 200 OK\r\n") == 2
        async with world.get() as answer:
            assert await answer.text() == "to the end"


async def test_a_browser_that_knows_no_chunks_gets_none(make: Make) -> None:
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n3\r\ndef\r\n0\r\nTrailer: t\r\n\r\n"
    async with make(answering(chunks)) as world:
        text = await raw(world, request("", OWNER, minor=0))
        assert text.endswith(b"\r\n\r\nabcdef")
        assert b"chunked" not in text


@pytest.mark.parametrize("then", [b"xyz\r\n", b"5\r\nab", b"2\r\nabXX0\r\n\r\n"])
async def test_an_answer_that_breaks_off_among_its_chunks_is_cut_and_nothing_added(make: Make, then: bytes) -> None:
    async with make(answering(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n" + then)) as world:
        text = await raw(world, request("", OWNER))
        assert text.count(b"HTTP/1.1 ") == 1
        assert not text.endswith(b"0\r\n\r\n")


async def test_a_request_may_follow_a_body_in_chunks(make: Make) -> None:
    async with make() as world:
        head = f"POST {BASE}one HTTP/1.1\r\nHost: x\r\n{OWNER}\r\nTransfer-Encoding: chunked\r\n\r\n"
        body = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        text = await raw(world, head.encode() + body + request("two", OWNER, LAST))
        assert text.count(b"HTTP/1.1 200 OK\r\n") == 2
        assert b'"body": "abcde"' in text
        assert [seen.path for seen in world.seen] == [f"{BASE}one", f"{BASE}two"]


async def test_a_cookie_that_ends_in_a_semicolon_passes(make: Make) -> None:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(headers={"Set-Cookie": "own=1; Secure; "})

    async with make(serve, cookies=["own"]) as world, world.get() as answer:
        assert answer.headers["Set-Cookie"] == f"own=1; Path={BASE}; Secure"
