-- Requests for wrk: random positions of two against two, kings and men, Frisian.
local kind = "position"

local function position()
    local used = {}
    local function piece(white)
        local square
        repeat square = math.random(1, 50) until not used[square]
        used[square] = true
        local last = white and square <= 5 or not white and square >= 46
        return ((last or math.random() < 0.5) and "K" or "") .. square
    end
    return string.format("%s:W%s,%s:B%s,%s", math.random() < 0.5 and "W" or "B", piece(true), piece(true),
        piece(false), piece(false))
end

function init(arguments)
    kind = arguments[1] or kind
    math.randomseed(1)
    if kind == "batch" then
        local lines = {}
        for i = 1, 1000 do lines[i] = position() end
        wrk.body = table.concat(lines, "\n")
        wrk.method = "POST"
    end
end

function request()
    if kind == "position" then return wrk.format(nil, "/frisian?fen=" .. position()) end
    if kind == "mainline" then return wrk.format(nil, "/frisian/mainline?fen=" .. position()) end
    if kind == "batch" then return wrk.format(nil, "/v1/frisian/batch") end
    return wrk.format(nil, "/board.js")
end
